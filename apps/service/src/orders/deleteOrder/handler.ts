import type { FoldState } from "@headwater/domain";
import type { Origin } from "@headwater/domain/contact";
import { removeOrder } from "@headwater/domain/order";
import type { Answer } from "@headwater/http";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import type { WritePorts } from "../../ports.ts";
import { writeOnce } from "../../writing/writeOnce.ts";
import { expectOrder } from "../expectOrder.ts";
import { expectWritten } from "../orderRequest.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. */
export function dropOrder(
  call: OnceCall,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: string | undefined },
  ports: WritePorts,
): Promise<Answer> {
  const fold = (state: FoldState, origin: Origin) => {
    expectOrder(state, id, ifMatch);
    return expectWritten(removeOrder(state, id, origin), {});
  };
  return writeOnce(call, { kind: "v2", fold, answer: () => ({ status: 200, body: { success: true } }) }, ports);
}
