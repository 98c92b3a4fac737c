import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readProduct } from "@headwater/stores/products";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { productRecord, versionOfProduct } from "../productView.ts";

/** Throws 404 `RECORD_NOT_FOUND`. */
export async function readOneProduct(
  productId: string,
  { number: account }: Pick<Account, "number">,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const row = await readProduct(postgres, { account, productId });
  if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No product has this id.");
  return { status: 200, body: productRecord(row), headers: { ETag: etagOf(versionOfProduct(row)) } };
}
