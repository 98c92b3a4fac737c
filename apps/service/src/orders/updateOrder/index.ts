import type { Route } from "@headwater/http";
import type { WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { exactMembers, orderChanges, orderWarnings, orderWritten } from "../orderBody.ts";
import { changeOneOrder } from "./handler.ts";
import { params, requestExample } from "./schema.ts";

export function updateOrder(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/orders/{id}",
    operationId: "updateOrder",
    summary: "Updates an order. Absent members stay unchanged, null removes a member, `items` replaces all items.",
    description:
      "With `cID`, `email`, another identifier of the account, or `identifiers` the order moves to that contact.",
    tags: ["orders"],
    answers: {
      200: { description: "The updated order.", schema: orderWritten, example: { success: true, orderID: "536365" } },
      404: {
        description: "RECORD_NOT_FOUND: no order has this id; CONTACTS_CONTACT_NOT_FOUND: the contact does not exist.",
      },
    },
    scope: "orders:write",
    params,
    body: orderChanges,
    ...orderWarnings,
    exactMembers,
    requestExample,
    ifMatch: true,
    handler: ({ params: { id }, body, once, header }) =>
      changeOneOrder(once, { id, body, ifMatch: header("if-match") }, ports),
  });
}
