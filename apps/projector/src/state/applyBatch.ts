import type { Outcome } from "@headwater/domain";
import { bringUpLists, dropUnusedLists, emptyRows } from "@headwater/projection";
import { lockOffset, type Postgres, type Transaction } from "@headwater/stores";
import { loadDefined } from "./attributeRooms.ts";
import { BATCH_BYTES_MAX, DryRun, RECORD_BYTES_MAX } from "./batchBounds.ts";
import { type Duplicates, findDuplicates } from "./duplicates.ts";
import { foldPart } from "./foldPart.ts";
import type { StateBatch } from "./stateBatch.ts";
import { type FoldedPart, storeOutcomes, storePart } from "./storeOutcomes.ts";

export type BatchResult =
  | {
      readonly kind: "stored";
      /** What was applied: all of the batch, or its first frames. */
      readonly batch: StateBatch;
      readonly outcomes: readonly Outcome[];
      readonly activityKeys: ReadonlySet<string>;
    }
  /** The stored offset is elsewhere: another owner was here, or the log was read from the wrong place. */
  | { readonly kind: "seek"; readonly offset: number };

export interface Application {
  /** Records that broke the batch before, by index: rejected without being folded. */
  readonly refused: ReadonlySet<number>;
  /** An account of the batch has no room for more attributes: each record's are looked at. */
  readonly isOutOfAttributes: boolean;
  /** How many records are loaded, folded and stored at once; all of them where they fit. */
  readonly recordsAtOnce: number;
  /** All but the commit; ends in DryRun. */
  readonly dryRun: boolean;
  /** How long a statement waits for a lock; without it as long as a statement may take. */
  readonly lockTimeoutMs?: number;
}

/**
 * Applies a batch in one transaction: fence, load, fold, store, offset. Nothing of it is visible before all of it is.
 * @throws BrokenRecord, BatchTooLarge, LostRace, and Postgres' errors.
 */
export async function applyBatch(postgres: Postgres, batch: StateBatch, how: Application): Promise<BatchResult> {
  return postgres.transaction(async (transaction) => {
    if (how.lockTimeoutMs !== undefined) {
      await transaction.execute({ text: `SET LOCAL lock_timeout = ${how.lockTimeoutMs}` });
    }
    const stored = await lockOffset(transaction, batch.key);
    if (stored.nextOffset !== batch.fromOffset) return { kind: "seek", offset: stored.nextOffset };
    const made = await bringUpLists(transaction, batch.records, batch.nowMs);
    const known = await findDuplicates(transaction, batch.records);
    const applied = await applyParts(transaction, batch, { ...how, known });
    await dropUnusedLists(transaction, made, applied);
    if (how.dryRun) throw new DryRun();
    return { kind: "stored", batch, outcomes: applied.outcomes, activityKeys: applied.activityKeys };
  });
}

interface Parts extends Application {
  readonly known: Duplicates;
}

/** Part after part in the order of the records: each finds what those before it stored. The last one stores what became of all. */
async function applyParts(transaction: Transaction, batch: StateBatch, parts: Parts) {
  const outcomes: Outcome[] = [];
  const memberships: FoldedPart["changes"]["memberships"][] = [];
  let activityKeys: ReadonlySet<string> = new Set();
  let position = 0;
  for (let from = 0; ; from += parts.recordsAtOnce) {
    const to = Math.min(from + parts.recordsAtOnce, batch.records.length);
    const part = await applyPart(transaction, batch, { ...parts, from, to, activityKeys });
    for (const outcome of part.outcomes) outcomes.push(outcome);
    const { changes } = part;
    memberships.push(changes.memberships);
    activityKeys = activityKeys.size === 0 ? changes.activityKeys : activityKeys.union(changes.activityKeys);
    if (to < batch.records.length) {
      position = Math.max(position, await storePart(transaction, batch, { ...part, ...parts, rejects: [] }));
      continue;
    }
    const { duplicates, attempts } = parts.known;
    const windowFrom = batch.windowFrom(activityKeys);
    await storeOutcomes(transaction, batch, {
      ...part,
      ...parts,
      outcomes,
      duplicates,
      attempts,
      windowFrom,
      position,
    });
    return { outcomes, activityKeys, memberships };
  }
}

interface Part extends Parts {
  readonly from: number;
  readonly to: number;
  /** Of the parts before it. */
  readonly activityKeys: ReadonlySet<string>;
}

async function applyPart(transaction: Transaction, batch: StateBatch, part: Part): Promise<FoldedPart> {
  const { from, to, activityKeys } = part;
  const rows = emptyRows(to - from > 1 ? BATCH_BYTES_MAX : RECORD_BYTES_MAX);
  const { result: outcomes, state } = await foldPart(transaction, {
    records: from === 0 && to === batch.records.length ? batch.records : batch.records.slice(from, to),
    firstIndex: from,
    seenActivity: (key) => activityKeys.has(key) || (batch.seenActivity(key) && !part.known.resumed.has(key)),
    rows,
    refused: part.refused,
    duplicates: part.known.duplicates,
    defined: part.isOutOfAttributes ? await loadDefined(transaction, batch.accounts.values()) : undefined,
  });
  return { outcomes, changes: state.changes(), rows };
}
