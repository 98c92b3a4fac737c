import { type MembershipChangeEvent, timeOfVersion } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import { takeOutboxPositions } from "../contacts/sequences.ts";
import { readReturned, readStored } from "../lists/listClears.ts";
import type { ListClear } from "../unitOfWork/listChanges.ts";
import { toOutboxRows, toPieces } from "./outboxRows.ts";

/** Pages of one list: 400 million members. */
const PAGES_MAX = 20_000;

/**
 * Emits the members that a late clear leaves on their list, in the transaction of the clear and after its memberships were stored; and those that a
 * later split gave a position back which the clear takes. Normally there are none. A member who is put on a list again is not emitted, because nothing
 * changed but the version: so ClickHouse may know a version below a clear's where the stored one lies above it.
 * @returns the last outbox position; 0 when no change event was emitted.
 */
export async function emitStoredMembers(
  transaction: Transaction,
  clears: readonly ListClear[],
  { sourcePartition }: { readonly sourcePartition: number },
): Promise<number> {
  let position = 0;
  for (const clear of clears) {
    // Members who joined since were emitted with a version above the clear's.
    const joinedUpTo = timeOfVersion(clear.version);
    let after = 0;
    for (let page = 0; ; page++) {
      if (page === PAGES_MAX) throw new Error(`List ${clear.list} has more than ${PAGES_MAX} pages of members`);
      const { kept: stored, last } = await readStored(transaction, clear, { joinedUpTo, after });
      if (stored.length > 0) position = await emit(transaction, stored, sourcePartition);
      if (last === undefined) break;
      after = last;
    }
    const returned = await readReturned(transaction, clear);
    if (returned.length > 0) position = await emit(transaction, returned, sourcePartition);
  }
  return position;
}

async function emit(transaction: Transaction, memberships: readonly MembershipChangeEvent[], sourcePartition: number) {
  const pieces = toPieces({ contacts: [], memberships, orders: [], carts: [], supplements: [], rejects: [] });
  const positions = await takeOutboxPositions(transaction, pieces.length);
  await appendOutbox(transaction, toOutboxRows(pieces, { positions, sourcePartition }));
  return Math.max(...positions);
}
