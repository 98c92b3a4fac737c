import { validateProduct } from "@headwater/analytics/imports/columns/productReader";
import type { Account, ProductBody } from "@headwater/contracts";
import { type Answer, findForbidden, refusal } from "@headwater/http";
import type { CallOptions } from "@headwater/intake/entry/callOptions";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { upsertProducts } from "@headwater/records/products/upsertProducts";
import type { MadeRecord } from "./compileMapping.ts";

const PRODUCTS_AT_ONCE = 500;
const TOO_LARGE = { code: "PAYLOAD_TOO_LARGE", path: "", message: "The product is too large." };

/** A made record as a product, or why it is none. */
export type MadeProduct =
  | { readonly kind: "product"; readonly product: ProductBody }
  | { readonly kind: "refused"; readonly code: string; readonly path: string; readonly message: string };

/** Validates a made record as `POST /v2/products` does. */
export function readMadeProduct(record: MadeRecord): MadeProduct {
  if (record === undefined) return { kind: "refused", ...TOO_LARGE };
  const value: unknown = JSON.parse(record);
  const forbidden = findForbidden(value);
  const read = forbidden === undefined ? validateProduct(value) : { kind: "refused" as const, ...forbidden };
  if (read.kind === "product") return { kind: "product", product: read.product };
  return { kind: "refused", code: "VALIDATION_ERROR", path: read.path, message: read.message };
}

export interface MadeProducts {
  readonly made: readonly MadeRecord[];
  readonly account: Account;
  readonly options: CallOptions;
  readonly requestId: string;
  readonly nowMs: number;
}

/** Writes products that were made. @throws HeadwaterError 422 when none is valid. */
export async function acceptMadeProducts(
  postgres: Postgres,
  { made, account, options, requestId, nowMs }: MadeProducts,
): Promise<Answer> {
  const read = await runInSlices(mapInSteps(made, readMadeProduct));
  const products = read.flatMap((one) => (one.kind === "product" ? one.product : []));
  const items = read.flatMap((one, index) => {
    if (one.kind === "product") return options.verbose ? { index, status: "accepted" } : [];
    const { code, message, path } = one;
    return { index, status: "rejected", code, message, path };
  });
  const rejected = read.length - products.length;
  if (options.validateOnly) {
    return { status: 200, body: { requestId, valid: products.length, rejected, items, warnings: [] } };
  }
  if (products.length === 0) {
    throw refusal("VALIDATION_ERROR", "Every record is invalid.", { extra: { accepted: 0, rejected, items } });
  }
  for (let from = 0; from < products.length; from += PRODUCTS_AT_ONCE) {
    const some = products.slice(from, from + PRODUCTS_AT_ONCE);
    await retryOnConflict(() =>
      postgres.transaction(async (transaction) => {
        await upsertProducts(transaction, { account, products: some, nowMs });
      }),
    );
  }
  const message = "The valid products were written.";
  return { status: 200, body: { success: true, message, requestId, accepted: products.length, rejected, items } };
}
