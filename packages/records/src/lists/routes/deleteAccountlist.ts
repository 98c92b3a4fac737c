import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { deletedExample, deletedShape, listParams } from "../listShape.ts";
import { deleteList } from "../saveList.ts";

export function deleteAccountlist(ports: Pick<RoutePorts, "clock" | "postgres" | "queue">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/accountlists/{id}",
    operationId: "deleteAccountlist",
    summary: "Deletes a list. Its contacts are kept.",
    tags: ["accountlists"],
    answers: {
      200: { description: "The list is deleted.", schema: deletedShape, example: deletedExample },
      404: { description: "ACCOUNT_LISTS_NOT_FOUND: no list has this id." },
    },
    scope: "accountlists:write",
    target: "id",
    params: listParams,
    ifMatch: true,
    handler: ({ params: { id }, once, header }) => deleteList(once, { listId: id, ifMatch: header("if-match") }, ports),
  });
}
