import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import type { WritePorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import { z } from "zod";
import type { Origin } from "../../contacts/contactIndex.ts";
import type { FoldState } from "../../fold/foldState.ts";
import { decimalNumber } from "../../views/decimalNumber.ts";
import { viewLockedOrder } from "../../views/shownOrder.ts";
import { hasReadOnly, writeOnce } from "../../writing/writeOnce.ts";
import { expectOrder } from "../expectOrder.ts";
import { exactMembers, type OrderBody, orderChanges, orderWarnings, orderWritten } from "../orderBody.ts";
import { versionOfOrder } from "../orderDocument.ts";
import { expectSameId, expectWritten, toOrderRequest } from "../orderRequest.ts";
import * as orders from "../writeOrder.ts";

const params = z.strictObject({ id: storableText(1_024) });

const requestExample = { status: "shipped", tax: "1.20", properties: { carrier: "van" } };

interface OrderChange {
  readonly id: string;
  readonly body: OrderBody;
  readonly ifMatch: string | undefined;
}

/** Throws 404 for an unknown order or contact, 409 `VERSION_CONFLICT`, 422. */
async function updateOrderOnce(call: OnceCall, { id, body, ifMatch }: OrderChange, ports: WritePorts): Promise<Answer> {
  expectSameId(id, body);
  const request = toOrderRequest(id, body, call.caller.account);
  const fold = (state: FoldState, origin: Origin) => {
    const order = expectOrder(state, id, ifMatch);
    // The write changes the order itself.
    const stored = hasReadOnly(call) ? viewLockedOrder(order, origin.account.settings, decimalNumber) : undefined;
    return { ...expectWritten(orders.updateOrder(state, request, origin), body), stored };
  };
  return writeOnce(
    call,
    {
      kind: "v2",
      suppressTriggers: body.suppressTriggers,
      reads: orders.orderReads(request, call.caller),
      fold,
      answer: ({ order }) => ({
        status: 200,
        body: { success: true, orderID: id },
        headers: { ETag: etagOf(versionOfOrder(order)) },
      }),
      stored: ({ stored }) => stored,
    },
    ports,
  );
}

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
    dryRun: "rolledBack",
    params,
    body: orderChanges,
    ...orderWarnings,
    exactMembers,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { id }, body, once, header }) =>
      updateOrderOnce(once, { id, body, ifMatch: header("if-match") }, ports),
  });
}
