import { successShape } from "@headwater/api/answers/success";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { exactProductMembers, productBody } from "@headwater/contracts";
import { type Answer, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { declareProduct } from "../declareProduct.ts";
import { productParams } from "../productShape.ts";
import { lockKnownProduct, saveProducts } from "../products.ts";
import { productRecord, versionOfProduct } from "../productView.ts";
import { refuseDeep } from "../refuseDeep.ts";
import { toStored } from "../storedProduct.ts";

const body = productBody.partial();
type ProductChanges = z.output<typeof body>;

const updatedAnswer = successShape.extend({ productID: z.string() });

const requestExample = { price: "2.95", sale: null, inStock: false };

interface ProductChange {
  readonly id: string;
  readonly changes: ProductChanges;
  readonly ifMatch: string | undefined;
}

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 for another id than that of the path. What changes nothing writes nothing. */
function updateProductOnce(
  call: OnceCall,
  { id, changes: { productID = id, ...changes }, ifMatch }: ProductChange,
  { postgres, clock }: Pick<RoutePorts, "postgres" | "clock">,
): Promise<Answer> {
  if (productID !== id) throw idStays();
  refuseDeep([{ at: "", members: changes }]);
  const { number: account, settings } = call.caller.account;
  const members = toStored(changes, settings.timezone);
  return runOnce(postgres, call, async (transaction) => {
    const row = await lockKnownProduct(transaction, { account, productId: id });
    if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No product has this id.");
    expectVersion(ifMatch, versionOfProduct(row));
    const written = declareProduct(row, { members, nowMs: clock.nowMs() });
    await saveProducts(transaction, written === undefined ? [] : [written]);
    const body = { success: true, productID: id };
    const headers = { ETag: etagOf(versionOfProduct(written ?? row)) };
    return { answer: { status: 200, body, headers }, kept: body, stored: productRecord(row) };
  });
}

function idStays() {
  const message = "`productID` cannot be changed.";
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/productID", code: "not_allowed", message }] });
}

export function updateProduct(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/products/{productID}",
    operationId: "updateProduct",
    summary: "Updates a product. Absent members stay unchanged, null removes a member.",
    tags: ["products"],
    answers: {
      200: {
        description: "The updated product.",
        schema: updatedAnswer,
        example: { success: true, productID: "85123A" },
      },
      404: { description: "RECORD_NOT_FOUND: no product has this id." },
    },
    scope: "products:write",
    target: "productID",
    params: productParams,
    body,
    exactMembers: exactProductMembers,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { productID: id }, body: changes, once, header }) =>
      updateProductOnce(once, { id, changes, ifMatch: header("if-match") }, ports),
  });
}
