import { postgresFailure } from "@headwater/postgres/connection/failures";
import { isWriteConflict, pauseAfterConflict } from "@headwater/postgres/connection/writeConflict";
import type { Outcome } from "@headwater/records/fold/outcome";
import { BatchState } from "@headwater/records/unitOfWork/batchState";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { applyByHalves, type ItemRange } from "../quarantine/applyByHalves.ts";
import { type AppliedParts, applyPart, joinKeys, type Parts } from "./applyParts.ts";
import type { StateBatch } from "./stateBatch.ts";
import type { StateTransaction } from "./stateStore.ts";
import { type FoldedPart, storeOutcomes, storePart } from "./storeOutcomes.ts";

/** Conflicts in a row that a record may have alone: one that has more is overtaken by nobody and breaks on itself. */
const CONFLICTS_ALONE_MAX = 5;

/** Parts the records that broke a batch from the others. */
export interface Search {
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
 * Applies the records of a batch that broke under savepoints: what passes stays, and a record that fails by itself is refused in its
 * place. All of it is one transaction, as with a batch that does not break.
 */
export async function applyApart(
  transaction: StateTransaction,
  batch: StateBatch,
  { search, ...parts }: Parts & { readonly search: Search },
): Promise<AppliedParts> {
  const applied = new AppliedRanges();
  const apply = async (range: ItemRange) => {
    search.heartbeat();
    search.applying(range);
    applied.add(
      await transaction.savepoint((part) =>
        storeRange(part, batch, { ...range, ...parts, activityKeys: applied.activityKeys }),
      ),
    );
  };
  const run = { ...search, apply: (range: ItemRange) => untilNotOvertaken(() => apply(range)) };
  await applyByHalves(run, batch.records.length, search.atOnce);
  const { outcomes, activityKeys, memberships } = applied;
  const of = { outcomes, position: applied.position, windowFrom: batch.windowFrom(activityKeys) };
  const end = { ...nothing(), ...parts, ...parts.known, ...of };
  search.applying(undefined);
  const uncompared = await transaction.savepoint((part) => storeOutcomes(part, batch, end));
  return { outcomes, activityKeys, memberships, uncompared };
}

/** The records that were applied so far, in their order. */
class AppliedRanges {
  readonly outcomes: Outcome[] = [];
  readonly memberships: FoldedPart["changes"]["memberships"][] = [];
  activityKeys: ReadonlySet<string> = new Set();
  /** Last place in the outbox. */
  position = 0;

  add({ outcomes, changes, position }: StoredRange): void {
    for (const outcome of outcomes) this.outcomes.push(outcome);
    this.memberships.push(changes.memberships);
    this.activityKeys = joinKeys(this.activityKeys, changes.activityKeys);
    this.position = Math.max(this.position, position);
  }
}

type StoredRange = FoldedPart & { readonly position: number };
type Range = Parts & ItemRange & { readonly activityKeys: ReadonlySet<string> };

/** Folds and stores the range, and tries what the batch's end will write of its records, so that a record which breaks that shows. */
async function storeRange(transaction: StateTransaction, batch: StateBatch, range: Range): Promise<StoredRange> {
  const { from, to, isRefused, known } = range;
  const refused = isRefused ? new Set([...range.refused, from]) : range.refused;
  const part = await applyPart(transaction, batch, { ...range, refused });
  const position = await storePart(transaction, batch, { ...part, ...range, rejects: [] });
  const records = { ...batch, records: batch.records.slice(from, to), undecodable: [] };
  const within = (index: number) => index >= from && index < to;
  const end = {
    ...nothing(),
    ...range,
    outcomes: part.outcomes,
    duplicates: new Set([...known.duplicates].filter(within).map((index) => index - from)),
    attempts: new Map([...known.attempts].map(([index, attempts]) => [index - from, attempts])),
    windowFrom: batch.fromOffset,
    position,
  };
  await transaction.rehearse((rehearsal) => storeOutcomes(rehearsal, records, end));
  return { ...part, position };
}

function nothing() {
  const rows = emptyRows();
  return { rows, changes: new BatchState(rows).changes() };
}

/**
 * Another transaction was quicker with a row: the range is loaded and folded again over what that one left. A deadlock is none of
 * these: the other side may wait for a lock of a range before this one, so the whole batch is rolled back.
 */
async function untilNotOvertaken(apply: () => Promise<void>): Promise<void> {
  for (let conflicts = 1; ; conflicts++) {
    try {
      return await apply();
    } catch (error) {
      if (conflicts === CONFLICTS_ALONE_MAX || !isOvertaken(error)) throw error;
      await pauseAfterConflict(conflicts);
    }
  }
}

/** Distinguishes a row that another transaction had written first from a deadlock or a wait. */
export function isOvertaken(error: unknown): boolean {
  return isWriteConflict(error) && postgresFailure(error) !== "conflict";
}
