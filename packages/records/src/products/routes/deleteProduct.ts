import { successExample, successShape } from "@headwater/api/answers/success";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import { emptyProduct, toProductDocument } from "../product.ts";
import { productParams } from "../productShape.ts";
import { lockKnownProduct, saveProducts } from "../products.ts";
import { versionOfProduct } from "../productView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`. Its row stays, empty: what was written before it does not bring the product back. */
function deleteProductOnce(
  call: OnceCall,
  { productId, ifMatch }: { readonly productId: string; readonly ifMatch: string | undefined },
  { postgres, clock }: Pick<RoutePorts, "postgres" | "clock">,
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

export function deleteProduct(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/products/{productID}",
    operationId: "deleteProduct",
    summary: "Deletes a product. Orders keep their items; an order written later creates it again.",
    tags: ["products"],
    answers: {
      200: { description: "The product is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no product has this id." },
    },
    scope: "products:write",
    target: "productID",
    params: productParams,
    ifMatch: true,
    handler: ({ params: { productID: productId }, once, header }) =>
      deleteProductOnce(once, { productId, ifMatch: header("if-match") }, ports),
  });
}
