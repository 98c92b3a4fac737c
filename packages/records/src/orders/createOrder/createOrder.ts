import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Route } from "@headwater/http";
import { exactMembers, newOrder, orderRequest, orderWarnings, orderWritten } from "../orderBody.ts";
import { addOrder } from "./handler.ts";

export function createOrder(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/orders",
    operationId: "createOrder",
    summary: "Creates an order of a contact.",
    description:
      "The contact is identified by `cID`, `email`, another identifier of the account, or `identifiers`. Items create and update the products they name asynchronously. A given total is kept; otherwise it is computed when every item has a price.",
    tags: ["orders"],
    answers: {
      201: {
        description: "The order was created.",
        schema: orderWritten,
        example: { success: true, orderID: "536365" },
      },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: the contact does not exist." },
    },
    scope: "orders:write",
    body: newOrder,
    ...orderWarnings,
    exactMembers,
    requestExample: orderRequest,
    handler: ({ body, once }) => addOrder(once, body, ports),
  });
}
