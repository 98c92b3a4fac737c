import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { savedAnswer, savedExample, TABLE_UNKNOWN, tableParams } from "../tableShape.ts";
import { updateTable } from "./handler.ts";
import { body, requestExample } from "./schema.ts";

export function updateSupplement(ports: Pick<ServicePorts, "postgres">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/supplements/{key}",
    operationId: "updateSupplement",
    summary: "Updates the name and the indexes of a table.",
    description:
      "`key` cannot be changed. `indexes` is the full list: indexes that are not named are dropped. A new index is ready at once on a small table; on a large one it is built in the background, `state` shows the progress, and filters on it get a 409 meanwhile.",
    tags: ["supplements"],
    answers: {
      200: { description: "The updated table.", schema: savedAnswer, example: savedExample },
      404: TABLE_UNKNOWN,
      422: { description: "TYPE_CHANGE_NOT_ALLOWED: a field is indexed with another type. VALIDATION_ERROR." },
    },
    scope: "supplements:write",
    target: "key",
    params: tableParams,
    body,
    requestExample,
    ifMatch: true,
    handler: ({ params: { key }, body: changes, once, header }) =>
      updateTable(once, { key, changes, ifMatch: header("if-match") }, ports),
  });
}
