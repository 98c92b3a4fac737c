import { successExample, successShape } from "@headwater/api/answers/success";
import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import { z } from "zod";
import type { Origin } from "../../contacts/contactIndex.ts";
import type { FoldState } from "../../fold/foldState.ts";
import { writeOnce } from "../../writing/writeOnce.ts";
import { expectOrder } from "../expectOrder.ts";
import { expectWritten } from "../orderRequest.ts";
import * as orders from "../writeOrder.ts";

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
    dryRun: "rolledBack",
    params,
    ifMatch: true,
    handler: ({ params: { id }, once, header }) => deleteOrderOnce(once, { id, ifMatch: header("if-match") }, ports),
  });
}
