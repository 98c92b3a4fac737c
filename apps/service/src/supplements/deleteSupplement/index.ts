import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { deleteTable } from "../emptyTable.ts";
import { TABLE_UNKNOWN, tableParams } from "../tableShape.ts";

export function deleteSupplement(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/supplements/{key}",
    operationId: "deleteSupplement",
    summary: "Deletes a table with its records.",
    description: "Records that intake takes for it are refused from now on. Another table may have its key.",
    tags: ["supplements"],
    answers: {
      200: { description: "The table is gone.", schema: successShape, example: successExample },
      404: TABLE_UNKNOWN,
      422: { description: "VALIDATION_ERROR: a table that every account has is not deleted, only cleared." },
    },
    scope: "supplements:write",
    params: tableParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) => deleteTable(once, { key, ifMatch: header("if-match") }, ports),
  });
}
