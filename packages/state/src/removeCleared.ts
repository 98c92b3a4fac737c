import { timeOfVersion } from "@headwater/contracts";
import {
  appendOutbox,
  removeClearedRecords,
  type StoredSupplementClear,
  type Transaction,
  takeOutboxPositions,
} from "@headwater/stores";
import type { SupplementChangeRecord } from "./cartAndRecordChanges.ts";
import { toOutboxRows, toPieces } from "./outboxRows.ts";

/** Rows that one step goes through. */
const ROWS_A_STEP = 2_000;

export interface ClearedStep {
  /** Rows that were gone through. */
  readonly looked: number;
  /** Where the next step goes on; undefined when there is nothing left. */
  readonly last: string | undefined;
}

/**
 * One step of removing what a clear took out of a table: the next rows in order of id go, and ClickHouse is told that they are gone
 * since that clear. A record that was written since stays. Doing it again does nothing.
 * @param after the last id that was gone through, empty at first.
 */
export async function removeCleared(
  transaction: Transaction,
  clear: StoredSupplementClear,
  after: string,
): Promise<ClearedStep> {
  const { removed, looked, last } = await removeClearedRecords(transaction, clear, { after, rowsMax: ROWS_A_STEP });
  const { account, supplement } = clear;
  const supplements = removed.map(({ id, createdAt, clearedVersion: version }): SupplementChangeRecord => {
    const times = { createdAt, lastModified: timeOfVersion(version) };
    return { account, supplement, id, contact: null, version, ...times, record: { id }, deleted: true };
  });
  if (supplements.length > 0) await tell(transaction, supplements, account);
  return { looked, last };
}

/** Taken after the rows are locked: a record that is made anew comes after it. */
async function tell(transaction: Transaction, supplements: readonly SupplementChangeRecord[], sourcePartition: number) {
  const pieces = toPieces({ contacts: [], memberships: [], orders: [], carts: [], supplements, rejects: [] });
  const positions = await takeOutboxPositions(transaction, pieces.length);
  await appendOutbox(transaction, toOutboxRows(pieces, { positions, sourcePartition }));
}
