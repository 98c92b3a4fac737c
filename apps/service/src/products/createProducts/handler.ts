import type { Answer } from "@headwater/http";
import { retryOnConflict } from "@headwater/projection";
import type { Transaction } from "@headwater/stores/postgres";
import { lockProducts, type StoredProduct, saveProducts } from "@headwater/stores/products";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { refuseDeep, toStored } from "../declared.ts";
import { declared } from "../declaredRow.ts";
import type { ProductBody } from "../productShape.ts";
import type { ProductsBody, UpsertStatus } from "./schema.ts";

/** All or nothing. Throws 422. A product that stands twice in the array is made by the first and changed by the second. */
export function upsertProducts(
  call: OnceCall,
  given: ProductsBody,
  { postgres, clock }: Pick<ServicePorts, "postgres" | "clock">,
): Promise<Answer> {
  const products = [given].flat();
  refuseDeep(products.map((members, place) => ({ at: Array.isArray(given) ? `/${place}` : "", members })));
  return retryOnConflict(() =>
    runOnce(postgres, call, async (transaction) => {
      const items = await upsert(transaction, { call, products, nowMs: clock.nowMs() });
      const status = items.some((item) => item.status === "created") ? 201 : 200;
      const body = { success: true, ...(Array.isArray(given) ? { items } : { productID: given.productID }) };
      return { answer: { status, body }, kept: body };
    }),
  );
}

interface Upsert {
  readonly call: OnceCall;
  readonly products: readonly ProductBody[];
  readonly nowMs: number;
}

interface Upserted {
  readonly productID: string;
  readonly status: UpsertStatus;
}

async function upsert(transaction: Transaction, { call, products, nowMs }: Upsert): Promise<Upserted[]> {
  const { number: account, settings } = call.caller.account;
  const keys = [...new Set(products.map(({ productID }) => productID))].map((productId) => ({ account, productId }));
  const locked = await lockProducts(transaction, keys, nowMs);
  const rows = new Map(locked.products.map((row) => [row.productId, row]));
  const isNew = new Set(locked.made.map(({ productId }) => productId));
  for (const { productId, deletedAt } of locked.products) if (deletedAt !== null) isNew.add(productId);
  const changed = new Map<string, StoredProduct>();
  const items = products.map(({ productID, ...members }): Upserted => {
    const row = rows.get(productID);
    if (row === undefined) throw new Error("every product that is asked for is locked");
    const written = declared(row, { members: toStored(members, settings.timezone), nowMs });
    if (written !== undefined) changed.set(productID, written);
    rows.set(productID, written ?? row);
    const status = isNew.delete(productID) ? "created" : "updated";
    return { productID, status };
  });
  await saveProducts(transaction, [...changed.values()]);
  return items;
}
