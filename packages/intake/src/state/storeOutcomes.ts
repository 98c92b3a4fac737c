import type { ActivityChangeEvent, RejectRow } from "@headwater/contracts";
import type { ActivityResolutions } from "@headwater/postgres/streams/activityResolutions";
import { toOutboxRows, toPieces } from "@headwater/records/changeEvents/outboxRows";
import { toChangeEvents } from "@headwater/records/changeEvents/toChangeEvents";
import type { Outcome } from "@headwater/records/fold/outcome";
import { writeAndDefine } from "@headwater/records/writes/defineWritten";
import { nothingMoved, type StoredChanges } from "@headwater/records/writes/storeBatch";
import type { RedriveOutcome, RejectOutcome } from "../deadLetters/rejects.ts";
import { toResolutions } from "./activityResolutions.ts";
import type { FoldedRange } from "./foldRecords.ts";
import { type Listeners, toHeardActivities } from "./heardActivities.ts";
import { toImportedRows } from "./importedRows.ts";
import { isCopy, isTriedAgain, type LoggedRecord, requestOf } from "./loggedRecord.ts";
import { toOutcomeCounts } from "./outcomeCounts.ts";
import { toRejectRow, toUndecodableRow } from "./rejectRows.ts";
import { isAppliedOnce, onceIdOf, type Repeats } from "./repeats.ts";
import type { StateBatch } from "./stateBatch.ts";
import type { BatchEnd, StateTransaction } from "./stateStore.ts";
import { type ReadTrigger, toTriggeredEvents } from "./triggeredEvents.ts";

/** The last range, with the outcomes of all records of the batch. */
export interface FoldedBatch extends FoldedRange {
  readonly checksAttributeQuota: boolean;
  readonly repeats: Pick<Repeats, "duplicates" | "attempts">;
  readonly windowFrom: number;
  readonly triggers: readonly ReadTrigger[];
  readonly listeners: Listeners;
  /** Last position in the outbox of the ranges before it; 0 for none. */
  readonly position: number;
}

/** One for all records of which nothing is stored, as of most. */
const none: readonly never[] = [];

/**
 * Stores everything a batch leaves behind, in the caller's transaction; the offset is the last of it.
 * @returns the number of triggers with which activities were not compared.
 */
export async function storeOutcomes(
  transaction: StateTransaction,
  batch: StateBatch,
  folded: FoldedBatch,
): Promise<number> {
  const { outcomes } = folded;
  const rejects = rejectsOf(batch, folded);
  const end: Omit<BatchEnd, "offset"> = {
    resolutions: resolutionsOf(batch, outcomes),
    rejects,
    settled: resolvedOf(batch, folded),
    redriven: redrivenOf(batch, folded, rejects),
    receiptCounts: countsOf(batch, folded),
    outcomeCounts: toOutcomeCounts(batch.records, outcomes, folded.repeats.duplicates),
    applied: keyedOf(batch),
    imported: importedOf(batch, folded),
    ...toTriggeredEvents(batch.records, outcomes, folded.triggers),
    nowMs: batch.nowMs,
  };
  const activities = toHeardActivities(batch, outcomes, folded.listeners);
  await storeRange(transaction, batch, { ...folded, rejects, activities }, (position) => {
    const { windowFrom } = folded;
    const offset = { ...batch.after, outboxPosition: Math.max(position, folded.position), windowFrom };
    return transaction.storeEnd(batch.key, { ...end, offset, accounts: batch.accounts });
  });
  return end.uncompared.length;
}

type RangeToStore = Pick<FoldedBatch, "changes" | "rows" | "checksAttributeQuota"> & {
  readonly rejects: readonly RejectRow[];
  readonly activities?: readonly ActivityChangeEvent[];
};

/**
 * Stores what records changed, with its change records.
 * @param others written together with it; given the last position in the outbox.
 * @returns that position, 0 when there is nothing to emit.
 */
export async function storeRange(
  transaction: StateTransaction,
  batch: StateBatch,
  { changes, rows, rejects, activities = none, checksAttributeQuota }: RangeToStore,
  others: (position: number) => Promise<void> = async () => undefined,
): Promise<number> {
  const { accounts } = batch;
  const piecesWith = (moved: StoredChanges) =>
    toPieces({ ...toChangeEvents(changes, accounts, moved), activities, rejects });
  // Only merges must be stored before it is known what to emit of them: all else is written without waiting in between.
  const early = changes.merges.length === 0 ? piecesWith(nothingMoved) : undefined;
  const positions = await transaction.takeOutboxPositions(Math.max(1, early?.length ?? 0));
  const [revision = 0] = positions;
  const stored = transaction.storeChanges({ changes, rows, accounts, revision });
  // Awaited below; an error before that must not pass for an unhandled one.
  stored.catch(() => undefined);
  const pieces = early ?? piecesWith(await stored);
  positions.push(...(await transaction.takeOutboxPositions(Math.max(0, pieces.length - positions.length))));
  const sourcePartition = batch.key.partition;
  const outbox = toOutboxRows(pieces, { positions, sourcePartition });
  if (changes.clears.length > 0) await stored;
  const existing = await transaction.emitKeptMembers(changes.clears, { sourcePartition });
  const last = Math.max(existing, ...(outbox.length > 0 ? positions : []));
  const { nowMs } = batch;
  const define = () =>
    transaction.defineWritten(changes, { accounts: checksAttributeQuota ? new Map() : accounts, nowMs });
  const written = [stored, transaction.appendOutbox(outbox), others(last)];
  await writeAndDefine(changes, written, define);
  return last;
}

function countsOf(batch: StateBatch, { outcomes, repeats: { duplicates } }: FoldedBatch) {
  const { topic, partition } = batch.key;
  const counts = toRequestCounts(batch.records, outcomes, duplicates);
  return counts.map((count) => ({ ...count, topic, partition, logOffset: batch.fromOffset }));
}

function resolutionsOf(batch: StateBatch, outcomes: readonly Outcome[]): ActivityResolutions | undefined {
  const resolutions = toResolutions(batch.records, outcomes, batch.fromOffset);
  const { nextOffset } = batch.after;
  return resolutions.length === 0 ? undefined : { firstOffset: batch.fromOffset, nextOffset, resolutions };
}

function rejectsOf(batch: StateBatch, { outcomes, repeats: { attempts } }: FoldedBatch) {
  const { nowMs, parkedForMs } = batch;
  const at = { topic: batch.key.topic, partition: batch.key.partition, nowMs, parkedForMs };
  const rows = batch.records.flatMap<RejectRow>((logged, index) => {
    const outcome = outcomes[index];
    if (outcome?.kind !== "rejected") return none;
    return [toRejectRow(logged, outcome, { ...at, attempts: attempts.get(index) ?? 0 })];
  });
  return [...rows, ...batch.undecodable.map((message) => toUndecodableRow(message, at))];
}

/** Parked records that came again and have an end now. */
function resolvedOf(batch: StateBatch, { outcomes, repeats: { duplicates } }: FoldedBatch) {
  return batch.records.flatMap<RejectOutcome>(({ account, record }, index) => {
    const outcome = outcomes[index];
    if (!isTriedAgain(record) || duplicates.has(index) || outcome === undefined) return none;
    if (outcome.kind === "rejected") return none;
    const code = outcome.kind === "skipped" ? outcome.code : "";
    return [{ account: account.number, recordId: record.id, status: outcome.kind, code }];
  });
}

/** Returns what became of the records that a person's redrive wrote, by the record each stands for. */
function redrivenOf(batch: StateBatch, folded: FoldedBatch, rejects: readonly RejectRow[]): RedriveOutcome[] {
  const parked = new Set(rejects.filter(({ status }) => status === "parked").map(({ recordId }) => recordId));
  return batch.records.flatMap<RedriveOutcome>(({ account, record }, index) => {
    const outcome = folded.outcomes[index];
    if (record.redriveOf === undefined || isTriedAgain(record)) return none;
    if (folded.repeats.duplicates.has(index) || outcome === undefined) return none;
    const kind = parked.has(record.id) ? "parked" : outcome.kind;
    return [{ account: account.number, recordId: record.redriveOf, outcome: kind }];
  });
}

function importedOf({ records, key: { partition } }: StateBatch, { outcomes, repeats: { duplicates } }: FoldedBatch) {
  return toImportedRows(records, outcomes, { duplicates, partition });
}

function keyedOf(batch: StateBatch) {
  return batch.records
    .filter(({ record }) => isAppliedOnce(record) && record.redriveOf === undefined)
    .map(({ account, record }) => ({ account: account.number, recordId: onceIdOf(record) }));
}

/** Counts of a request's skips and warnings within one batch of one partition. */
interface RequestCounts {
  readonly account: number;
  readonly requestId: string;
  readonly skips: Record<string, number>;
  readonly warnings: Record<string, number>;
}

/**
 * Counts for requests that had skips or warnings; a request without either has no row.
 * @param duplicates records that were dealt with before, by index: what became of them is counted already, and a receipt
 * counts every record once however often it stands in the log.
 */
export function toRequestCounts(
  records: readonly LoggedRecord[],
  outcomes: readonly Outcome[],
  duplicates: ReadonlySet<number>,
): RequestCounts[] {
  const counts = new Map<string, RequestCounts>();
  records.forEach(({ record, account }, index) => {
    const outcome = outcomes[index];
    const isCounted = duplicates.has(index) && isCopy(record);
    if (outcome === undefined || isCounted || outcome.kind === "rejected" || isTriedAgain(record)) return;
    const warnings = [...outcome.warnings];
    if (outcome.kind === "applied" && warnings.length === 0) return;
    const { requestId } = requestOf(record.id);
    const key = `${account.number}:${requestId}`;
    const row = counts.get(key) ?? { account: account.number, requestId, skips: {}, warnings: {} };
    counts.set(key, row);
    if (outcome.kind === "skipped") row.skips[outcome.code] = (row.skips[outcome.code] ?? 0) + 1;
    for (const code of warnings) row.warnings[code] = (row.warnings[code] ?? 0) + 1;
  });
  return [...counts.values()];
}
