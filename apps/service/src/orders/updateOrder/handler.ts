import type { FoldState } from "@headwater/domain";
import type { Origin } from "@headwater/domain/contact";
import { changeOrder, orderReads, versionOfOrder } from "@headwater/domain/order";
import type { Answer } from "@headwater/http";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import type { WritePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { writeOnce } from "../../writing/writeOnce.ts";
import { expectOrder } from "../expectOrder.ts";
import type { OrderBody } from "../orderBody.ts";
import { expectSameId, expectWritten, toOrderRequest } from "../orderRequest.ts";

export interface OrderChange {
  readonly id: string;
  readonly body: OrderBody;
  readonly ifMatch: string | undefined;
}

/** Throws 404 for an unknown order or contact, 409 `VERSION_CONFLICT`, 422. */
export async function changeOneOrder(
  call: OnceCall,
  { id, body, ifMatch }: OrderChange,
  ports: WritePorts,
): Promise<Answer> {
  expectSameId(id, body);
  const request = toOrderRequest(id, body, call.caller.account);
  const fold = (state: FoldState, origin: Origin) => {
    expectOrder(state, id, ifMatch);
    return expectWritten(changeOrder(state, request, origin), body);
  };
  return writeOnce(
    call,
    {
      kind: "v2",
      reads: orderReads(request, call.caller),
      fold,
      answer: ({ order }) => ({
        status: 200,
        body: { success: true, orderID: id },
        headers: { ETag: etagOf(versionOfOrder(order)) },
      }),
    },
    ports,
  );
}
