import type { CartRow } from "@headwater/records/carts/cart";
import type { Supplement, SupplementRecordRow } from "@headwater/records/supplements/supplement";
import {
  type LoadedRows,
  type StateRead,
  supplementKey,
  supplementRecordKey,
} from "@headwater/records/unitOfWork/loadedRows";

interface StoredRows {
  readonly carts: ReadonlyMap<number, CartRow>;
  readonly supplements: ReadonlyMap<string, Supplement>;
  readonly supplementRecords: ReadonlyMap<string, SupplementRecordRow>;
}

type CartOrSupplementRead = Extract<StateRead, { kind: "cart" | "supplement" | "supplementRecord" }>;

/** Loads a cart, a table or a record of one. */
export function loadCartOrSupplement(stored: StoredRows, rows: LoadedRows, read: CartOrSupplementRead): void {
  if (read.kind === "cart") {
    rows.carts.set(read.contact, stored.carts.get(read.contact) ?? null);
    return;
  }
  if (read.kind === "supplement") {
    const key = supplementKey(read.account, read.key);
    rows.supplements.set(key, stored.supplements.get(key) ?? null);
    return;
  }
  const key = supplementRecordKey(read.account, read.supplement, read.id);
  rows.supplementRecords.set(key, stored.supplementRecords.get(key) ?? null);
}
