import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { revokeKey } from "./handler.ts";
import { params } from "./schema.ts";

export function deleteApikey(ports: Pick<ServicePorts, "apiKeys" | "keys">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/apikeys/{id}",
    operationId: "deleteApikey",
    summary: "Revokes a key at once.",
    tags: ["apikeys"],
    answers: { 200: { description: "The key is revoked.", schema: successShape, example: successExample } },
    scope: "apikeys:write",
    category: "System",
    target: "id",
    params,
    handler: ({ params: { id }, once }) => revokeKey(once, id, ports),
  });
}
