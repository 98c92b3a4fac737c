import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import type { Answer } from "@headwater/http";
import type { z } from "zod";
import { writeOnce } from "../../writing/writeOnce.ts";
import type { newOrder } from "../orderBody.ts";
import { versionOfOrder } from "../orderDocument.ts";
import { expectContact, expectWritten, toOrderRequest } from "../orderRequest.ts";
import { createOrder, orderReads } from "../writeOrder.ts";

/** Throws 422 `ID_MUST_BE_UNIQUE` and `VALIDATION_ERROR`, 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export async function addOrder(call: OnceCall, body: z.output<typeof newOrder>, ports: WritePorts): Promise<Answer> {
  const request = toOrderRequest(body.orderID, body, call.caller.account);
  expectContact(request);
  return writeOnce(
    call,
    {
      kind: "v2",
      reads: orderReads(request, call.caller),
      fold: (state, origin) => expectWritten(createOrder(state, request, origin), body),
      answer: ({ order }) => ({
        status: 201,
        body: { success: true, orderID: order.orderId },
        headers: { ETag: etagOf(versionOfOrder(order)) },
      }),
    },
    ports,
  );
}
