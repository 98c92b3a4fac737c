import { pauseAfterConflict } from "@headwater/postgres/connection/writeConflict";
import type { Outcome } from "@headwater/records/fold/outcome";
import { BatchState } from "@headwater/records/unitOfWork/batchState";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { applyByHalves, type ItemRange } from "../quarantine/applyByHalves.ts";
import { isOvertaken } from "./batchFailures.ts";
import { type BatchFacts, type FoldedRange, foldRecords, type RecordRange } from "./foldRecords.ts";
import type { Listeners } from "./heardActivities.ts";
import type { StateBatch } from "./stateBatch.ts";
import type { StateTransaction } from "./stateStore.ts";
import { storeOutcomes, storeRange } from "./storeOutcomes.ts";
import type { ReadTrigger } from "./triggeredEvents.ts";

/** Conflicts in a row that a record may have alone: one that has more is overtaken by nobody and breaks on itself. */
const CONFLICTS_ALONE_MAX = 5;

/** Facts about the batch that its folds and its end need. */
export interface RangeFacts extends BatchFacts {
  /** Triggers that activities of the batch may fit. */
  readonly triggers: readonly ReadTrigger[];
  /** Actions that something listens for. */
  readonly listeners: Listeners;
}

export interface AppliedRecords {
  readonly outcomes: readonly Outcome[];
  readonly memberships: readonly FoldedRange["changes"]["memberships"][];
  readonly activityKeys: ReadonlySet<string>;
  /** Number of triggers with which activities were not compared. */
  readonly uncompared: number;
}

/**
 * Folds and stores the records in parts of `recordsAtOnce`, nearly always all in one: each finds what those before it stored. The last part
 * stores the outcomes of all.
 * @throws what `foldRecords` throws, and errors of Postgres.
 */
export async function applyInParts(
  transaction: StateTransaction,
  batch: StateBatch,
  { recordsAtOnce, ...facts }: RangeFacts & { readonly recordsAtOnce: number },
): Promise<AppliedRecords> {
  const applied = new AppliedRanges();
  for (let from = 0; ; from += recordsAtOnce) {
    const to = Math.min(from + recordsAtOnce, batch.records.length);
    const range = await foldRecords(transaction, batch, { ...facts, from, to, activityKeys: applied.activityKeys });
    applied.add(range);
    if (to < batch.records.length) {
      applied.storedUpTo(await storeRange(transaction, batch, { ...range, ...facts, rejects: [] }));
      continue;
    }
    const end = { ...range, ...facts, ...applied.endOf(batch) };
    return applied.withUncompared(await storeOutcomes(transaction, batch, end));
  }
}

/** Separates the records that broke a batch from the others. */
export interface PoisonSearch {
  /** Records of one savepoint at first; those that fail together are halved. */
  readonly atOnce: number;
  readonly isPoison: (error: unknown) => boolean;
  /** Called for each refused record; what it throws rolls the batch back. */
  readonly refused: (index: number, error: unknown) => void;
  /** Called with each range before it is applied, and with undefined before the end of the batch is stored. */
  readonly applying: (range: ItemRange | undefined) => void;
  readonly heartbeat: () => void;
}

/**
 * Folds and stores the records of a batch that broke under savepoints: a range that succeeds stays, and a record that fails alone is
 * refused. All of it is one transaction, as with a batch that does not break.
 * @throws errors that are not a record's, and what `search.refused` throws.
 */
export async function applyUnderSavepoints(
  transaction: StateTransaction,
  batch: StateBatch,
  { search, ...facts }: RangeFacts & { readonly search: PoisonSearch },
): Promise<AppliedRecords> {
  const applied = new AppliedRanges();
  const apply = async (range: ItemRange) => {
    search.heartbeat();
    search.applying(range);
    const { position, ...folded } = await transaction.savepoint((part) =>
      applyRange(part, batch, { ...range, ...facts, activityKeys: applied.activityKeys }),
    );
    applied.add(folded);
    applied.storedUpTo(position);
  };
  const run = { ...search, apply: (range: ItemRange) => retryOvertaken(() => apply(range)) };
  await applyByHalves(run, batch.records.length, search.atOnce);
  const end = { ...unchanged(), ...facts, ...applied.endOf(batch) };
  search.applying(undefined);
  return applied.withUncompared(await transaction.savepoint((part) => storeOutcomes(part, batch, end)));
}

type RangeToApply = RangeFacts & RecordRange & Pick<ItemRange, "isRefused">;

/** Folds and stores the range, and rehearses what the batch's end will write of its records, so that one that breaks the end shows. */
async function applyRange(
  transaction: StateTransaction,
  batch: StateBatch,
  range: RangeToApply,
): Promise<FoldedRange & { readonly position: number }> {
  const { from, to, isRefused, repeats } = range;
  const refused = isRefused ? new Set([...range.refused, from]) : range.refused;
  const folded = await foldRecords(transaction, batch, { ...range, refused });
  const position = await storeRange(transaction, batch, { ...folded, ...range, rejects: [] });
  const records = { ...batch, records: batch.records.slice(from, to), undecodable: [] };
  const isWithin = (index: number) => index >= from && index < to;
  const end = {
    ...unchanged(),
    ...range,
    outcomes: folded.outcomes,
    repeats: {
      ...repeats,
      duplicates: new Set([...repeats.duplicates].filter(isWithin).map((index) => index - from)),
      attempts: new Map([...repeats.attempts].map(([index, attempts]) => [index - from, attempts])),
    },
    windowFrom: batch.fromOffset,
    position,
  };
  await transaction.rehearse((rehearsal) => storeOutcomes(rehearsal, records, end));
  return { ...folded, position };
}

function unchanged() {
  const rows = emptyRows();
  return { rows, changes: new BatchState(rows).changes() };
}

/**
 * Another transaction was quicker with a row: the range is loaded and folded again over what that one left. A deadlock is not such a
 * conflict: the other side may wait for a lock of a range before this one, so the whole batch is rolled back.
 */
async function retryOvertaken(apply: () => Promise<void>): Promise<void> {
  for (let conflicts = 1; ; conflicts++) {
    try {
      return await apply();
    } catch (error) {
      if (conflicts === CONFLICTS_ALONE_MAX || !isOvertaken(error)) throw error;
      await pauseAfterConflict(conflicts);
    }
  }
}

/** The records that were applied so far, in their order. */
class AppliedRanges {
  readonly #outcomes: Outcome[] = [];
  readonly #memberships: FoldedRange["changes"]["memberships"][] = [];
  #activityKeys: ReadonlySet<string> = new Set();
  /** Last position in the outbox. */
  #position = 0;

  get activityKeys(): ReadonlySet<string> {
    return this.#activityKeys;
  }

  add({ outcomes, changes }: FoldedRange): void {
    for (const outcome of outcomes) this.#outcomes.push(outcome);
    this.#memberships.push(changes.memberships);
    // Nearly every batch is one range: its keys are passed on as they are.
    const { activityKeys } = changes;
    this.#activityKeys = this.#activityKeys.size === 0 ? activityKeys : this.#activityKeys.union(activityKeys);
  }

  storedUpTo(position: number): void {
    this.#position = Math.max(this.#position, position);
  }

  /** Returns what the end of the batch stores of all ranges. */
  endOf(batch: StateBatch) {
    return { outcomes: this.#outcomes, position: this.#position, windowFrom: batch.windowFrom(this.#activityKeys) };
  }

  withUncompared(uncompared: number): AppliedRecords {
    return { outcomes: this.#outcomes, activityKeys: this.#activityKeys, memberships: this.#memberships, uncompared };
  }
}
