import { successExample, successShape } from "@headwater/api/answers/success";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { deleteTable } from "../emptyTable.ts";
import { TABLE_UNKNOWN, tableParams } from "../tableShape.ts";

export function deleteSupplement(ports: WritePorts & Pick<RoutePorts, "queue">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/supplements/{key}",
    operationId: "deleteSupplement",
    summary: "Deletes a table and its records.",
    description: "Intake records for this table are rejected from now on. The key can be reused.",
    tags: ["supplements"],
    answers: {
      200: { description: "The table is deleted.", schema: successShape, example: successExample },
      404: TABLE_UNKNOWN,
      422: { description: "VALIDATION_ERROR: a built-in table cannot be deleted, only cleared." },
    },
    scope: "supplements:write",
    dryRun: "rolledBack",
    target: "key",
    params: tableParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) => deleteTable(once, { key, ifMatch: header("if-match") }, ports),
  });
}
