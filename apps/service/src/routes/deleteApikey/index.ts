import { defineRoute, type Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { revokeKey } from "./handler.ts";
import { params, revokedAnswer } from "./schema.ts";

export function deleteApikey(ports: ServicePorts): Route {
  return defineRoute({
    method: "DELETE",
    path: "/v2/apikeys/{id}",
    operationId: "deleteApikey",
    summary: "Revokes a key at once.",
    tags: ["apikeys"],
    answers: { 200: { description: "It is refused from now on.", schema: revokedAnswer, example: { success: true } } },
    auth: "basic",
    scope: "apikeys:write",
    rateClass: "write",
    params,
    handler: ({ params: { id }, caller, requestId, header }) => {
      const key = header("idempotency-key");
      return revokeKey({ key, caller, route: `DELETE /v2/apikeys/${id}`, body: null, requestId }, id, ports);
    },
  });
}
