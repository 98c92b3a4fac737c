import { newApiKeyBody } from "@headwater/contracts";
import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { createKey } from "./handler.ts";
import { createdAnswer, createdExample, requestExample } from "./schema.ts";

export function createApikey(ports: Pick<ServicePorts, "apiKeys" | "clock" | "keys">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/apikeys",
    operationId: "createApikey",
    summary: "Creates a key, or rotates an existing one. The value is returned only in this response.",
    tags: ["apikeys"],
    answers: {
      201: { description: "The key with its value.", schema: createdAnswer, example: createdExample },
      404: { description: "RECORD_NOT_FOUND: the key to replace does not exist, was revoked or has expired." },
    },
    scope: "apikeys:write",
    category: "System",
    target: "id",
    body: newApiKeyBody,
    requestExample,
    handler: ({ body, once }) => createKey(once, body, ports),
  });
}
