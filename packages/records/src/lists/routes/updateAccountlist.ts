import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { listBody, listParams, savedExample, savedShape } from "../listShape.ts";
import { updateList } from "../saveList.ts";

export function updateAccountlist(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/accountlists/{id}",
    operationId: "updateAccountlist",
    summary: "Renames a list, or shows or hides its join dates.",
    tags: ["accountlists"],
    answers: {
      200: { description: "The updated list.", schema: savedShape, example: savedExample },
      404: { description: "ACCOUNT_LISTS_NOT_FOUND: no list has this id." },
    },
    scope: "accountlists:write",
    target: "id",
    params: listParams,
    body: listBody,
    requestExample: { enhanced: false },
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { id }, body, once, header }) =>
      updateList(once, { listId: id, body, ifMatch: header("if-match") }, ports),
  });
}
