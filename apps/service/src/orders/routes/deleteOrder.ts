import type { FoldState } from "@headwater/domain";
import type { Origin } from "@headwater/domain/contact";
import * as orders from "@headwater/domain/order";
import type { Answer, Route } from "@headwater/http";
import { z } from "zod";
import { successExample, successShape } from "../../answers/success.ts";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import { storableText } from "../../paging/query.ts";
import type { WritePorts } from "../../ports.ts";
import { writeOnce } from "../../writing/writeOnce.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { expectOrder } from "../expectOrder.ts";
import { expectWritten } from "../orderRequest.ts";

const params = z.strictObject({ id: storableText(1_024) });

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
function deleteOrderOnce(
  call: OnceCall,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: string | undefined },
  ports: WritePorts,
): Promise<Answer> {
  const fold = (state: FoldState, origin: Origin) => {
    expectOrder(state, id, ifMatch);
    return expectWritten(orders.deleteOrder(state, id, origin), {});
  };
  return writeOnce(call, { kind: "v2", fold, answer: () => ({ status: 200, body: { success: true } }) }, ports);
}

export function deleteOrder(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/orders/{id}",
    operationId: "deleteOrder",
    summary: "Deletes an order. Late or replayed records never resurrect it; a newer record or POST creates it again.",
    tags: ["orders"],
    answers: {
      200: { description: "The order is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no order has this id." },
    },
    scope: "orders:write",
    params,
    ifMatch: true,
    handler: ({ params: { id }, once, header }) => deleteOrderOnce(once, { id, ifMatch: header("if-match") }, ports),
  });
}
