import { emptyRows, type LoadedRows, type Outcome } from "@headwater/operations";
import { bringUpLists, dropUnusedLists, loadNeeds, loadRows } from "@headwater/state";
import { lockOffset, type Postgres, type Transaction } from "@headwater/stores";
import { findDuplicates } from "./duplicates.ts";
import { findErased } from "./erased.ts";
import { type Folded, foldBatch } from "./foldBatch.ts";
import type { StateBatch } from "./stateBatch.ts";
import { storeOutcomes } from "./storeOutcomes.ts";

export type BatchResult =
  | { readonly kind: "stored"; readonly outcomes: readonly Outcome[]; readonly activityKeys: ReadonlySet<string> }
  /** The stored offset is elsewhere: another owner was here, or the log was read from the wrong place. */
  | { readonly kind: "seek"; readonly offset: number };

/** A fold threw on one record: a defect of ours. */
export class BrokenRecord extends Error {
  readonly index: number;
  constructor(index: number, cause: unknown) {
    super("A record could not be folded", { cause });
    this.index = index;
  }
}

/** Thrown at the end of a trial, so that it is rolled back. */
export class DryRun extends Error {}

const REFOLDS_MAX = 200;

/**
 * Applies a batch in one transaction: fence, load, fold, store, offset. Nothing of it is visible before all of it is.
 * @param refused records that broke the batch before, by index: rejected without being folded.
 * @param dryRun all but the commit; ends in DryRun.
 * @throws BrokenRecord, LostRace, and Postgres' errors.
 */
export async function applyBatch(
  postgres: Postgres,
  batch: StateBatch,
  { refused, dryRun }: { readonly refused: ReadonlySet<number>; readonly dryRun: boolean },
): Promise<BatchResult> {
  return postgres.transaction(async (transaction) => {
    const stored = await lockOffset(transaction, batch.key);
    if (stored.nextOffset !== batch.fromOffset) return { kind: "seek", offset: stored.nextOffset };
    const made = await bringUpLists(transaction, batch.records, batch.nowMs);
    const rows = emptyRows();
    const { duplicates, attempts } = await findDuplicates(transaction, batch.records);
    const folded = await foldUntilLoaded(transaction, batch, { rows, duplicates, refused });
    const { outcomes, state } = folded;
    const changes = state.changes();
    await dropUnusedLists(transaction, made, changes);
    await storeOutcomes(transaction, batch, {
      outcomes,
      changes,
      rows,
      duplicates,
      attempts,
      windowFrom: batch.windowFrom(changes.activityKeys),
    });
    if (dryRun) throw new DryRun();
    return { kind: "stored", outcomes, activityKeys: changes.activityKeys };
  });
}

interface FoldOver {
  readonly rows: LoadedRows;
  readonly duplicates: ReadonlySet<number>;
  readonly refused: ReadonlySet<number>;
}

/** Folds, loads what was asked for beyond what was foreseen, and folds again from the beginning. */
async function foldUntilLoaded(
  transaction: Transaction,
  batch: StateBatch,
  over: FoldOver,
): Promise<Extract<Folded, { kind: "folded" }>> {
  const { records, seenActivity } = batch;
  await loadRows(transaction, records, over.rows);
  for (let round = 0; round < REFOLDS_MAX; round++) {
    // Looked at behind the rows: who is not found because of an erasure is known to be erased.
    const erased = await findErased(transaction, records);
    const folded = foldBatch({ records, seenActivity, erased, ...over });
    if (folded.kind === "folded") return folded;
    if (folded.kind === "broken") throw new BrokenRecord(folded.index, folded.error);
    await loadNeeds(transaction, folded.needs, over.rows);
  }
  throw new Error(`A batch asked for state ${REFOLDS_MAX} times and was not done`);
}
