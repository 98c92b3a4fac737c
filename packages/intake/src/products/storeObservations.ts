import { timeOfVersion } from "@headwater/contracts";
import type { StoredProduct } from "@headwater/records/products/postgres";
import { emptyProduct, observeProduct, parseProduct, toProductDocument } from "@headwater/records/products/product";
import type { ProductRows } from "./productStore.ts";
import type { LocatedObservation } from "./readObservations.ts";

interface SeenProduct {
  readonly account: number;
  readonly productId: string;
  readonly observations: LocatedObservation[];
}

/**
 * Writes the products that differ from what was seen. Only those are locked, all at once in the order in which everybody locks
 * them, and are checked again: whoever declares one meanwhile is not overwritten.
 */
export async function storeObservations(
  stored: ProductRows,
  observations: readonly LocatedObservation[],
  nowMs: number,
): Promise<void> {
  const seen = byProduct(observations);
  const known = new Map((await stored.load([...seen.values()])).map((row) => [keyOf(row), row]));
  const differing = [...seen].filter(([key, one]) => changed(known.get(key), one, nowMs) !== undefined);
  const keys = differing.map(([, one]) => one);
  const rows = (await stored.lock(keys, nowMs)).flatMap((row) => {
    const one = seen.get(keyOf(row));
    const written = one && changed(row, one, nowMs);
    return written === undefined ? [] : [written];
  });
  await stored.save(rows);
}

function byProduct(observations: readonly LocatedObservation[]): Map<string, SeenProduct> {
  const products = new Map<string, SeenProduct>();
  for (const located of observations) {
    const { productId } = located.observation;
    const key = keyOf({ account: located.account, productId });
    const product = products.get(key) ?? { account: located.account, productId, observations: [] };
    product.observations.push(located);
    products.set(key, product);
  }
  return products;
}

function keyOf({ account, productId }: Pick<StoredProduct, "account" | "productId">): string {
  return `${account}\n${productId}`;
}

/** The product with what was seen of it; undefined when nothing is to be written. */
function changed(
  row: StoredProduct | undefined,
  { account, productId, observations }: SeenProduct,
  nowMs: number,
): StoredProduct | undefined {
  const deletedAt = row?.deletedAt ?? null;
  const later = observations.filter(({ version }) => deletedAt === null || timeOfVersion(version) > deletedAt);
  const product = row === undefined || deletedAt !== null ? emptyProduct() : parseProduct(row.doc);
  let isChanged = false;
  for (const { observation } of later) isChanged = observeProduct(product, observation) || isChanged;
  if (!isChanged) return undefined;
  const createdAt = row === undefined || deletedAt !== null ? nowMs : row.createdAt;
  return { account, productId, doc: toProductDocument(product), createdAt, modifiedAt: nowMs, deletedAt: null };
}
