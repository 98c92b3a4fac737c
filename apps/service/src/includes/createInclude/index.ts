import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { INCLUDE_BYTES_MAX, includeWritten } from "../includeView.ts";
import { makeInclude } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

export function createInclude(ports: Pick<ServicePorts, "clock" | "postgres" | "renders">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/includes",
    operationId: "createInclude",
    summary: "Creates an include. Its key is unique within the account and cannot be changed.",
    tags: ["includes"],
    answers: {
      201: {
        description: "The include was created.",
        schema: includeWritten,
        example: { success: true, key: requestExample.key },
      },
    },
    scope: "includes:write",
    target: "key",
    body,
    bodyBytesMax: INCLUDE_BYTES_MAX,
    requestExample,
    handler: ({ body: include, once }) => makeInclude(once, include, ports),
  });
}
