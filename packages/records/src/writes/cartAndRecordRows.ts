import { toCartDocument } from "../carts/cart.ts";
import type { StoredCart } from "../carts/carts.ts";
import { toMembersDocument } from "../members/membersDocument.ts";
import type { StoredSupplementRecord } from "../supplements/supplementRecords.ts";
import type { BatchChanges } from "../unitOfWork/batchChanges.ts";
import { type LoadedRows, supplementRecordKey } from "../unitOfWork/loadedRows.ts";

/** Returns carts in order of contact: those of merged contacts went to their survivors. */
export function cartRows({ carts, merges }: BatchChanges): StoredCart[] {
  const dead = new Set(merges.map(({ merged }) => merged.number));
  return [...carts.values()]
    .filter(({ cart }) => !dead.has(cart.contact))
    .map(({ account, cart }) => {
      return { account, contact: cart.contact, version: cart.version, doc: toCartDocument(cart) };
    })
    .sort((a, b) => a.account - b.account || a.contact - b.contact);
}

/** Supplement records that the batch made, and those it found and changed. */
export function supplementRecordRows({ supplementRecords }: BatchChanges, rows: LoadedRows) {
  const made: StoredSupplementRecord[] = [];
  const changed: StoredSupplementRecord[] = [];
  for (const { account, record } of supplementRecords.values()) {
    const { supplement, id, contact = null, createdAt, modifiedAt, version, deletedVersion = null } = record;
    const doc = toMembersDocument(record.members);
    const isNew = (rows.supplementRecords.get(supplementRecordKey(account, supplement, id)) ?? null) === null;
    const times = { createdAt, modifiedAt, version, deletedVersion };
    (isNew ? made : changed).push({ account, supplement, id, contact, ...times, doc });
  }
  return { made, changed };
}
