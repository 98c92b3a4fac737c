import type { LockedReject } from "../deadLetters/rejects.ts";
import { activityKey } from "../operations/createContactactivities/fold.ts";
import type { IntakeRecord } from "../operations/operation.ts";
import { findImportedAgain } from "./importedRows.ts";
import { isTriedAgain, type LoggedRecord, requestOf } from "./loggedRecord.ts";
import { isActivity } from "./partitionState.ts";
import type { StateTransaction } from "./stateStore.ts";

export interface Repeats {
  /** Keyed and redriven records that were dealt with before, by index. */
  readonly duplicates: ReadonlySet<number>;
  /** Attempts of parked records that come again, by index. */
  readonly attempts: ReadonlyMap<number, number>;
  /** Keys of redriven activities that were applied before and quarantined by the activities group: their UID is no repeat. */
  readonly resumed: ReadonlySet<string>;
}

/**
 * A keyed record may be in the log twice (its answer was lost), one that comes again too. The first is known by its id, the
 * second by the row it stands for: a parked row waits until it is resolved, a redriven one for what its redrive wrote. Rows of an import
 * are known by their place in its source.
 */
export async function findRepeats(
  transaction: Pick<StateTransaction, "appliedRecords" | "lockRejects" | "importedRows">,
  records: readonly LoggedRecord[],
  partition: number,
): Promise<Repeats> {
  const keyed = records.filter(({ record }) => isAppliedOnce(record) && record.redriveOf === undefined).map(keyOf);
  const redriven = records.filter(({ record }) => record.redriveOf !== undefined).map(keyOf);
  const [applied, rejects, importedAgain] = await Promise.all([
    transaction.appliedRecords(keyed),
    transaction.lockRejects(redriven),
    findImportedAgain(transaction, records, partition),
  ]);
  return resolveRepeats(records, { applied, rejects, importedAgain });
}

/** Stored facts of records that may come again. */
export interface StoredRepeats {
  /** Ids of keyed records that were dealt with. */
  readonly applied: ReadonlySet<string>;
  readonly rejects: readonly LockedReject[];
  /** Rows of imports that stand in the log again, by index. */
  readonly importedAgain: ReadonlySet<number>;
}

/** Finds the records that are copies of what was dealt with before. Pure. */
export function resolveRepeats(
  records: readonly LoggedRecord[],
  { applied, rejects, importedAgain }: StoredRepeats,
): Repeats {
  const rows = new Map(rejects.map((row) => [idOf(row), row]));
  const duplicates = new Set(importedAgain);
  const attempts = new Map<number, number>();
  const resumed = new Set<string>();
  const seen = new Set<string>();
  records.forEach((logged, index) => {
    const { record } = logged;
    if (!isAppliedOnce(record) && record.redriveOf === undefined) return;
    const id = idOf(keyOf(logged));
    const row = rows.get(id);
    const isDone = record.redriveOf === undefined ? applied.has(onceIdOf(record)) : !isAwaited(row, logged);
    if (isDone || seen.has(id)) duplicates.add(index);
    else seen.add(id);
    if (typeof row?.quarantinedBy === "string" && !isTriedAgain(record)) resumed.add(keyOfActivity(logged) ?? "");
    if (isTriedAgain(record)) attempts.set(index, attemptOf(row, logged));
  });
  return { duplicates, attempts, resumed };
}

/** A record that may come again: under its own id, or under a partner's name of it with another request. */
export function isAppliedOnce({ keyed, once }: IntakeRecord): boolean {
  return keyed === true || once !== undefined;
}

/** Returns what is kept of such a record, so that it is applied once. */
export function onceIdOf({ id, once }: IntakeRecord): string {
  return once ?? id;
}

/** A row that is gone waits for nothing: what stands for it is a copy, and so is an attempt that was made. */
function isAwaited(row: LockedReject | undefined, logged: LoggedRecord): boolean {
  if (row === undefined) return false;
  const { record } = logged;
  if (isTriedAgain(record)) return row.status === "parked" && attemptOf(row, logged) > row.attempts;
  return row.status === "redriven" && row.redriveOutcome === null && row.redrive === requestOf(record.id).requestId;
}

/** Records that were written before attempts had numbers are the next one, whichever they are. */
function attemptOf(row: LockedReject | undefined, { attempt }: LoggedRecord): number {
  return attempt ?? (row?.attempts ?? 0) + 1;
}

function keyOf({ account, record }: LoggedRecord) {
  return { account: account.number, recordId: record.redriveOf ?? onceIdOf(record) };
}

function idOf({ account, recordId }: { readonly account: number; readonly recordId: string }): string {
  return `${account}\n${recordId}`;
}

function keyOfActivity({ account, record, poison }: LoggedRecord): string | undefined {
  return poison === undefined && isActivity(record) ? activityKey(record, { account }) : undefined;
}
