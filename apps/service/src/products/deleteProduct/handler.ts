import { emptyProduct, toProductDocument } from "@headwater/domain/product";
import { type Answer, refusal } from "@headwater/http";
import { lockKnownProduct, saveProducts } from "@headwater/stores/products";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { expectVersion } from "../../writing/ifMatch.ts";
import { versionOfProduct } from "../productView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. Its row stays, empty: what was written before it does not bring the product back. */
export function dropProduct(
  call: OnceCall,
  { productId, ifMatch }: { readonly productId: string; readonly ifMatch: string | undefined },
  { postgres, clock }: Pick<ServicePorts, "postgres" | "clock">,
): Promise<Answer> {
  const { number: account } = call.caller.account;
  return runOnce(postgres, call, async (transaction) => {
    const row = await lockKnownProduct(transaction, { account, productId });
    if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No product has this id.");
    expectVersion(ifMatch, versionOfProduct(row));
    const nowMs = clock.nowMs();
    const doc = toProductDocument(emptyProduct());
    await saveProducts(transaction, [{ ...row, doc, modifiedAt: nowMs, deletedAt: nowMs }]);
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}
