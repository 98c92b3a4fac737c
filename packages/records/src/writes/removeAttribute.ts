import type { Transaction } from "@headwater/postgres/connection/session";
import { type AttributeClear, lockContactsWith, storeDocuments } from "../attributes/attributeClears.ts";
import { removeCleared } from "../contacts/attributeClears.ts";
import { fromRow, toDocument } from "../contacts/contactDocument.ts";

export interface RemovedPage {
  /** Contacts that were gone through. */
  readonly looked: number;
  /** Number of those among them that had a value. */
  readonly removed: number;
  /** Last contact of this step, from which the next one goes on; null when there is nothing left. */
  readonly last: number | null;
}

/**
 * One step of removing what the deletion of a definition took: the next contacts in order of number keep a tombstone in its place.
 * Nobody sees a difference, so no version moves and no change event is emitted. Doing it again does nothing.
 * @param after the last number that was gone through, 0 at first.
 */
export async function removeAttribute(
  transaction: Transaction,
  clear: AttributeClear,
  after: number,
): Promise<RemovedPage> {
  const { rows, looked, last } = await lockContactsWith(transaction, clear, after);
  const clears = new Map([[clear.key, clear.version]]);
  const changed = rows.flatMap((row) => {
    const contact = fromRow(row);
    return removeCleared(contact, clears) ? [{ number: row.number, doc: toDocument(contact) }] : [];
  });
  await storeDocuments(transaction, clear.account, changed);
  return { looked, removed: changed.length, last };
}
