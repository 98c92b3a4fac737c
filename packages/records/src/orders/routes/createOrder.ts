import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import type { z } from "zod";
import { writeOnce } from "../../writing/writeOnce.ts";
import { exactMembers, newOrder, orderRequest, orderWarnings, orderWritten } from "../orderBody.ts";
import { versionOfOrder } from "../orderDocument.ts";
import { expectContact, expectWritten, toOrderRequest } from "../orderRequest.ts";
import * as orders from "../writeOrder.ts";

/** Throws 422 `ID_MUST_BE_UNIQUE` and `VALIDATION_ERROR`, 404 `CONTACTS_CONTACT_NOT_FOUND`. */
async function createOrderOnce(call: OnceCall, body: z.output<typeof newOrder>, ports: WritePorts): Promise<Answer> {
  const request = toOrderRequest(body.orderID, body, call.caller.account);
  expectContact(request);
  return writeOnce(
    call,
    {
      kind: "v2",
      suppressTriggers: body.suppressTriggers,
      reads: orders.orderReads(request, call.caller),
      fold: (state, origin) => expectWritten(orders.createOrder(state, request, origin), body),
      answer: ({ order }) => ({
        status: 201,
        body: { success: true, orderID: order.orderId },
        headers: { ETag: etagOf(versionOfOrder(order)) },
      }),
    },
    ports,
  );
}

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
    dryRun: "rolledBack",
    body: newOrder,
    ...orderWarnings,
    exactMembers,
    requestExample: orderRequest,
    handler: ({ body, once }) => createOrderOnce(once, body, ports),
  });
}
