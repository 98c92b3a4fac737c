import type { Outcome } from "@headwater/records/fold/outcome";
import { applyInParts, applyUnderSavepoints, type PoisonSearch, type RangeFacts } from "./applyRanges.ts";
import { findListeners } from "./heardActivities.ts";
import { findMessageChannels } from "./messageChannels.ts";
import { findRepeats } from "./repeats.ts";
import type { StateBatch } from "./stateBatch.ts";
import type { StateStore } from "./stateStore.ts";
import { findTriggers } from "./triggeredEvents.ts";

export type BatchResult =
  | {
      readonly kind: "stored";
      /** Batch that was applied: all of it, or its first frames. */
      readonly batch: StateBatch;
      readonly outcomes: readonly Outcome[];
      readonly activityKeys: ReadonlySet<string>;
      /** Number of triggers with which activities were not compared. */
      readonly uncompared: number;
    }
  /** The stored offset is elsewhere: another owner was here, or the log was read from the wrong offset. */
  | { readonly kind: "seek"; readonly offset: number };

/** Plan of one attempt, as those before it have shown. */
export interface ApplyPlan extends Pick<RangeFacts, "refused" | "checksAttributeQuota"> {
  /** Number of records that are loaded, folded and stored at once; all of them where they fit. */
  readonly recordsAtOnce: number;
  /** Given when the batch broke before: its records are applied under savepoints. */
  readonly search?: PoisonSearch | undefined;
  /** Time that a statement waits for a lock; without it as long as a statement may take. */
  readonly lockTimeoutMs?: number | undefined;
  /** Set when the batch lost a deadlock: no other batch of its accounts runs at the same time. */
  readonly isAlone?: boolean;
}

/**
 * Applies a batch in one transaction: fence, load, fold, store, offset. Nothing of it is visible before all of it is.
 * @throws PoisonRecord, BatchTooLarge, DocumentsTooLarge, WriteConflict, StaleState, TransactionOutlived, and Postgres' errors.
 */
export async function applyInTransaction(
  store: Pick<StateStore, "transaction">,
  batch: StateBatch,
  { lockTimeoutMs, isAlone = false, search, recordsAtOnce, ...known }: ApplyPlan,
): Promise<BatchResult> {
  const { key, fromOffset, records } = batch;
  const fenced = await store.transaction({ key, fromOffset, lockTimeoutMs }, async (transaction) => {
    await transaction.lockAccounts(new Set(records.map(({ account }) => account.number)), isAlone);
    const lists = await transaction.ensureLists(records, batch.nowMs);
    const [triggers, listeners, messageChannels, repeats] = await Promise.all([
      findTriggers(transaction, records),
      findListeners(transaction, records),
      findMessageChannels(transaction, records),
      findRepeats(transaction, records, key.partition),
    ]);
    const facts = { ...known, triggers, listeners, messageChannels, repeats };
    const applied =
      search === undefined
        ? await applyInParts(transaction, batch, { ...facts, recordsAtOnce })
        : await applyUnderSavepoints(transaction, batch, { ...facts, search });
    await transaction.deleteUnusedLists(lists, applied);
    return applied;
  });
  if (fenced.kind === "elsewhere") return { kind: "seek", offset: fenced.nextOffset };
  const { outcomes, activityKeys, uncompared } = fenced.result;
  return { kind: "stored", batch, outcomes, activityKeys, uncompared };
}
