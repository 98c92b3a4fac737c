import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { includeParams } from "../includeView.ts";
import { dropInclude } from "./handler.ts";

export function deleteInclude(ports: Pick<ServicePorts, "postgres">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/includes/{key}",
    operationId: "deleteInclude",
    summary: "Deletes an unused include.",
    description: "An include in use is a 422 INCLUDE_IN_USE, and `details` names the messages, templates and includes.",
    tags: ["includes"],
    answers: {
      200: { description: "The include is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no include has this key." },
      422: { description: "INCLUDE_IN_USE or IDEMPOTENCY_KEY_REUSED" },
    },
    scope: "includes:write",
    target: "key",
    params: includeParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) => dropInclude(once, { key, ifMatch: header("if-match") }, ports),
  });
}
