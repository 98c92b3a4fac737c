import type { CartRow } from "@headwater/domain/cart";
import type { Supplement, SupplementRecordRow } from "@headwater/domain/supplement";
import { type LoadedRows, type StateRead, supplementKey, supplementRecordKey } from "@headwater/projection";

interface StoredRows {
  readonly carts: ReadonlyMap<number, CartRow>;
  readonly supplements: ReadonlyMap<string, Supplement>;
  readonly supplementRecords: ReadonlyMap<string, SupplementRecordRow>;
}

type CartOrSupplementRead = Extract<StateRead, { kind: "cart" | "supplement" | "supplementRecord" }>;

/** Loads a cart, a table or a record of one. */
export function loadCartOrSupplement(stored: StoredRows, rows: LoadedRows, need: CartOrSupplementRead): void {
  if (need.kind === "cart") {
    rows.carts.set(need.contact, stored.carts.get(need.contact) ?? null);
    return;
  }
  if (need.kind === "supplement") {
    const key = supplementKey(need.account, need.key);
    rows.supplements.set(key, stored.supplements.get(key) ?? null);
    return;
  }
  const key = supplementRecordKey(need.account, need.supplement, need.id);
  rows.supplementRecords.set(key, stored.supplementRecords.get(key) ?? null);
}
