import type { Answer } from "@headwater/http";
import { retryOnConflict, upsertProducts } from "@headwater/projection";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { refuseDeep } from "../refuseDeep.ts";
import type { ProductsBody, UpsertStatus } from "./schema.ts";

/** All or nothing. Throws 422. A product that stands twice in the array is made by the first and changed by the second. */
export function addProducts(
  call: OnceCall,
  given: ProductsBody,
  { postgres, clock }: Pick<ServicePorts, "postgres" | "clock">,
): Promise<Answer> {
  const products = [given].flat();
  refuseDeep(products.map((members, place) => ({ at: Array.isArray(given) ? `/${place}` : "", members })));
  return retryOnConflict(() =>
    runOnce(postgres, call, async (transaction) => {
      const { account } = call.caller;
      const upserted = await upsertProducts(transaction, { account, products, nowMs: clock.nowMs() });
      const items = upserted.map(({ productID, status }): Upserted => ({ productID, status }));
      const status = items.some((item) => item.status === "created") ? 201 : 200;
      const body = { success: true, ...(Array.isArray(given) ? { items } : { productID: given.productID }) };
      return { answer: { status, body }, kept: body };
    }),
  );
}

interface Upserted {
  readonly productID: string;
  readonly status: UpsertStatus;
}
