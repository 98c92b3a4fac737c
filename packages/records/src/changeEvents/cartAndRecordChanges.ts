import type { CartChangeEvent, SupplementChangeEvent } from "@headwater/contracts";
import type { Cart } from "../carts/cart.ts";
import { viewCart } from "../carts/cartView.ts";
import type { SupplementRecord } from "../supplements/supplement.ts";
import type { BatchChanges } from "../unitOfWork/batchChanges.ts";

/** Carts as they are after the batch; those that merged contacts had come last, as gone. */
export function cartRecords({ carts, merges }: BatchChanges): CartChangeEvent[] {
  const dead = new Set(merges.map(({ merged }) => merged.number));
  const live = [...carts.values()].filter(({ cart, visible }) => visible && !dead.has(cart.contact));
  const gone = merges.flatMap(({ account, merged, carts: before }) => {
    if (before.merged === undefined) return [];
    return [{ ...cartRecord(account, { ...before.merged, contact: merged.number }), merge: true as const }];
  });
  const changed = live.map(({ account, cart, emittedAs = cart.version }) => ({
    ...cartRecord(account, cart),
    version: emittedAs,
  }));
  return [...changed, ...gone];
}

function cartRecord(account: number, cart: Cart): CartChangeEvent {
  const { contact, version } = cart;
  const { cartId, lines, expiresAt = null, total = null, document } = viewCart(cart);
  return { account, contact, version, cartId, lines, expiresAt, total, cart: document };
}

export function supplementRecordChanges({ supplementRecords }: BatchChanges): SupplementChangeEvent[] {
  return [...supplementRecords.values()]
    .filter(({ visible }) => visible)
    .map(({ account, record }) => supplementChange(account, record));
}

function supplementChange(account: number, record: SupplementRecord): SupplementChangeEvent {
  const { supplement, id, contact = null, version, createdAt, modifiedAt: lastModified, members } = record;
  const fields = [...members].filter(([, { value }]) => value !== null).map(([name, { value }]) => [name, value]);
  const shown = { ...Object.fromEntries(fields), id };
  const change = { account, supplement, id, contact, version, createdAt, lastModified };
  if (record.deletedVersion !== undefined && record.deletedVersion >= version)
    return { ...change, record: { id }, deleted: true };
  return { ...change, record: shown };
}
