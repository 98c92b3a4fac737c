import type { Outcome } from "@headwater/domain";
import { bringUpLists, dropUnusedLists } from "@headwater/projection";
import type { Postgres } from "@headwater/stores/postgres";
import { lockOffset } from "@headwater/stores/streams";
import { applyApart, type Search } from "./applyApart.ts";
import { applyParts, type Parts } from "./applyParts.ts";
import { findDuplicates } from "./duplicates.ts";
import type { StateBatch } from "./stateBatch.ts";

export type BatchResult =
  | {
      readonly kind: "stored";
      /** Batch that was applied: all of it, or its first frames. */
      readonly batch: StateBatch;
      readonly outcomes: readonly Outcome[];
      readonly activityKeys: ReadonlySet<string>;
    }
  /** The stored offset is elsewhere: another owner was here, or the log was read from the wrong place. */
  | { readonly kind: "seek"; readonly offset: number };

export interface Application extends Omit<Parts, "known"> {
  /** Number of records that are loaded, folded and stored at once; all of them where they fit. */
  readonly recordsAtOnce: number;
  /** Given when the batch broke before: its records are applied under savepoints. */
  readonly search?: Search | undefined;
  /** Time that a statement waits for a lock; without it as long as a statement may take. */
  readonly lockTimeoutMs?: number | undefined;
}

/**
 * Applies a batch in one transaction: fence, load, fold, store, offset. Nothing of it is visible before all of it is.
 * @throws BrokenRecord, BatchTooLarge, WriteConflict, StaleState, and Postgres' errors.
 */
export async function applyBatch(postgres: Postgres, batch: StateBatch, how: Application): Promise<BatchResult> {
  const { search, lockTimeoutMs, ...parts } = how;
  return postgres.transaction(async (transaction) => {
    if (lockTimeoutMs !== undefined) {
      await transaction.execute({ text: `SET LOCAL lock_timeout = ${lockTimeoutMs}` });
    }
    const stored = await lockOffset(transaction, batch.key);
    if (stored.nextOffset !== batch.fromOffset) return { kind: "seek", offset: stored.nextOffset };
    const made = await bringUpLists(transaction, batch.records, batch.nowMs);
    const known = await findDuplicates(transaction, batch.records, batch.key.partition);
    const applied =
      search === undefined
        ? await applyParts(transaction, batch, { ...parts, known })
        : await applyApart(transaction, batch, { ...parts, known, search });
    await dropUnusedLists(transaction, made, applied);
    return { kind: "stored", batch, outcomes: applied.outcomes, activityKeys: applied.activityKeys };
  });
}
