import type { Outcome } from "@headwater/records/fold/outcome";
import { applyApart, type Search } from "./applyApart.ts";
import { type AppliedParts, applyParts, type Parts } from "./applyParts.ts";
import { findDuplicates } from "./duplicates.ts";
import { findSentOn } from "./sentOn.ts";
import type { StateBatch } from "./stateBatch.ts";
import type { StateStore, StateTransaction } from "./stateStore.ts";
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
  /** The stored offset is elsewhere: another owner was here, or the log was read from the wrong place. */
  | { readonly kind: "seek"; readonly offset: number };

export interface Application extends Omit<Parts, "known" | "triggers" | "sentOn"> {
  /** Number of records that are loaded, folded and stored at once; all of them where they fit. */
  readonly recordsAtOnce: number;
  /** Given when the batch broke before: its records are applied under savepoints. */
  readonly search?: Search | undefined;
  /** Time that a statement waits for a lock; without it as long as a statement may take. */
  readonly lockTimeoutMs?: number | undefined;
  /** Given when the batch lost a deadlock: no other batch of its accounts runs beside it. */
  readonly isAlone?: boolean;
}

/**
 * Applies a batch in one transaction: fence, load, fold, store, offset. Nothing of it is visible before all of it is.
 * @throws PoisonRecord, BatchTooLarge, WriteConflict, StaleState, and Postgres' errors.
 */
export async function applyBatch(
  store: Pick<StateStore, "transaction">,
  batch: StateBatch,
  how: Application,
): Promise<BatchResult> {
  const { lockTimeoutMs, ...application } = how;
  const { key, fromOffset } = batch;
  const fenced = await store.transaction({ key, fromOffset, lockTimeoutMs }, (transaction) =>
    applyWithin(transaction, batch, application),
  );
  if (fenced.kind === "elsewhere") return { kind: "seek", offset: fenced.nextOffset };
  const { outcomes, activityKeys, uncompared } = fenced.result;
  return { kind: "stored", batch, outcomes, activityKeys, uncompared };
}

async function applyWithin(
  transaction: StateTransaction,
  batch: StateBatch,
  { search, isAlone = false, ...parts }: Omit<Application, "lockTimeoutMs">,
): Promise<AppliedParts> {
  await transaction.lockAccounts(new Set(batch.records.map(({ account }) => account.number)), isAlone);
  const made = await transaction.ensureLists(batch.records, batch.nowMs);
  const [triggers, sentOn, known] = await Promise.all([
    findTriggers(transaction, batch.records),
    findSentOn(transaction, batch.records),
    findDuplicates(transaction, batch.records, batch.key.partition),
  ]);
  const applied =
    search === undefined
      ? await applyParts(transaction, batch, { ...parts, known, triggers, sentOn })
      : await applyApart(transaction, batch, { ...parts, known, triggers, sentOn, search });
  await transaction.deleteUnusedLists(made, applied);
  return applied;
}
