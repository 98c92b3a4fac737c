import type { ErrorCode, ImportJobName, JobInput } from "@headwater/contracts";
import type { ImportOutcomes } from "@headwater/intake/state/importCounts";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import type { StepEnd, StepReport } from "@headwater/jobs/runner/jobKind";
import type { RowsCollected } from "./collectRejections.ts";
import type { Tried } from "./dryRun.ts";
import type { ImportProgress, ImportUnderWay } from "./importProgress.ts";
import type { RowsFollowed } from "./rows/followRows.ts";
import type { RowsDone } from "./rows/nextRows.ts";
import type { WarnedRows } from "./rowWarnings.ts";

type Input = Pick<JobInput<ImportJobName>, "stopAfterRejections">;

const RESOLVE_SECONDS = 1;
const NEW_NAMES_MAX = 1_000;

export interface RowsTried {
  readonly done: RowsDone;
  readonly tried: readonly Tried[];
  readonly warned: WarnedRows;
  /** Names that the rows of this step would bring up. */
  readonly brought: { readonly attributes: readonly string[]; readonly lists: readonly string[] };
}

export interface RowsWritten {
  readonly done: RowsDone;
  /** Rows that were made of those so far, where the kind expands rows. */
  readonly made?: number | undefined;
  readonly warned: WarnedRows;
  readonly outcomes: ImportOutcomes;
}

/** Ends a step that wrote rows. One that stops the import lets what is written get its end first. */
export function afterRows(
  input: Input,
  before: ImportUnderWay,
  { done, made, warned, outcomes }: RowsWritten,
): StepEnd<ImportProgress> {
  const { at, isEnd, rejections } = done;
  const written = before.written + done.written;
  const refused = before.refused + rejections.length;
  const isStopped = isTooMuch(input, refused + outcomes.rejected + outcomes.errors);
  const now = { ...before, at, written, refused, made, ...warned, ...(isStopped && { isStopped }) };
  const report = { ...reportOf(now, outcomes, isEnd || isStopped), rejections };
  return { kind: "more", progress: { ...now, phase: isEnd || isStopped ? "settle" : "rows" }, ...report };
}

/** Ends a step that waited for the state. */
export function afterWait(input: Input, before: ImportUnderWay, outcomes: ImportOutcomes): StepEnd<ImportProgress> {
  const isStopped = before.isStopped === true || isTooMuch(input, before.refused + outcomes.rejected + outcomes.errors);
  const phase = isStopped ? ("settle" as const) : before.phase;
  const at: ImportUnderWay = { ...before, phase, ...(isStopped && { isStopped }) };
  const report = reportOf(at, outcomes, phase === "settle");
  if (phase !== "settle" || endedOf(outcomes) < at.written)
    return { kind: "wait", progress: at, seconds: RESOLVE_SECONDS, ...report };
  return afterResolved(input, at, { report, outcomes });
}

/** Rows that the log lost, and those that the state rejected, are shown before the job ends. */
function afterResolved(
  input: Input,
  at: ImportUnderWay,
  { report: counts, outcomes }: { readonly report: StepReport; readonly outcomes: ImportOutcomes },
): StepEnd<ImportProgress> {
  const report = { ...counts, rejections: lostRows(at) };
  if (outcomes.rejected + outcomes.errors === 0) return endOf(input, at, { report, outcomes });
  return { kind: "more", progress: { ...at, phase: "collect", at: at.source.from, made: undefined }, ...report };
}

/** Nobody knows which rows they were: their rejection stands behind all rows that were read. */
function lostRows({ lost = 0, at }: ImportUnderWay): readonly JobRejection[] {
  if (lost === 0) return [];
  const message = `The log lost ${lost} rows of this import before they were applied. Start the import again: it does not change the others.`;
  return [{ index: at.index, line: null, code: "LOST_FROM_LOG", message, path: null, record: null }];
}

/** Ends a step that found a loss of the log adopted: rows without an outcome are lost when the state has passed what was written before. */
export function afterLoss(
  { lossUntil: _, ...before }: ImportUnderWay,
  {
    losses,
    followed,
    outcomes,
  }: { readonly losses: number; readonly followed: RowsFollowed; readonly outcomes: ImportOutcomes },
): StepEnd<ImportProgress> {
  const { until, isPassed } = followed;
  if (!isPassed) {
    const report = reportOf(before, outcomes, false);
    return { kind: "wait", progress: { ...before, lossUntil: until }, seconds: RESOLVE_SECONDS, ...report };
  }
  const ended = endedOf(outcomes);
  const lost = (before.lost ?? 0) + Math.max(0, before.written - ended);
  const progress: ImportUnderWay = { ...before, losses, lost, written: Math.min(before.written, ended) };
  return { kind: "more", progress, ...reportOf(progress, outcomes, before.phase === "settle") };
}

/** Ends a step of a canceled import: it is over when the state has passed all that was written, of which its result tells the counts. */
export function afterCanceled(
  input: Input,
  before: ImportUnderWay,
  { followed, outcomes }: { readonly followed: RowsFollowed; readonly outcomes: ImportOutcomes },
): StepEnd<ImportProgress> {
  const { until, isPassed } = followed;
  const written = isPassed ? endedOf(outcomes) : before.written;
  const at: ImportUnderWay = { ...before, phase: "settle", written, until };
  const report = reportOf(at, outcomes, isPassed);
  if (!isPassed) return { kind: "wait", progress: at, seconds: RESOLVE_SECONDS, ...report };
  return afterResolved(input, at, { report, outcomes });
}

/** Ends a step that searched for the rows which the state rejected. */
export function afterCollected(
  input: Input,
  before: ImportUnderWay,
  {
    collected: { at, isEnd, rejections, made },
    outcomes,
  }: { readonly collected: RowsCollected; readonly outcomes: ImportOutcomes },
): StepEnd<ImportProgress> {
  const total = before.written + before.refused + (before.lost ?? 0);
  const report = { totalItems: total, completedItems: total, result: resultOf(before, outcomes), rejections };
  if (isEnd) return endOf(input, before, { report, outcomes });
  return { kind: "more", progress: { ...before, phase: "collect", at, made }, ...report };
}

/** Ends a step of a dry run, whose counts are kept with its place. */
export function afterTried(
  input: Input,
  before: ImportUnderWay,
  { done, tried, warned, brought }: RowsTried,
): StepEnd<ImportProgress> {
  const { at, isEnd, rejections } = done;
  const counts = tried.reduce((sum, { counts: more }) => addOutcomes(sum, more), before.tried ?? NO_OUTCOMES);
  const isStopped = isTooMuch(input, counts.rejected + counts.errors);
  const names = {
    attributes: joined(before.brought?.attributes, brought.attributes),
    lists: joined(before.brought?.lists, brought.lists),
  };
  const now = { ...before, at, tried: counts, ...warned, brought: names, ...(isStopped && { isStopped }) };
  const total = endedOf(counts);
  const report = {
    ...reportOf(now, counts, isEnd),
    totalItems: total,
    rejections,
    result: { ...resultOf(now, counts), totalRecords: total },
  };
  const preview = tried.flatMap((one) => one.preview).sort((one, other) => one.index - other.index);
  const metadata = {
    ...report.metadata,
    dryRun: true,
    newAttributes: names.attributes,
    newLists: names.lists,
    ...(before.tried === undefined && { preview }),
  };
  if (isEnd || isStopped) return endOf(input, now, { report: { ...report, metadata }, outcomes: counts });
  return { kind: "more", progress: now, ...report, metadata };
}

function joined(before: readonly string[] = [], more: readonly string[]): string[] {
  return [...new Set([...before, ...more])].slice(0, NEW_NAMES_MAX);
}

const NO_OUTCOMES: ImportOutcomes = { inserted: 0, updated: 0, ignored: 0, rejected: 0, errors: 0 };

function addOutcomes(one: ImportOutcomes, other: ImportOutcomes): ImportOutcomes {
  return {
    inserted: one.inserted + other.inserted,
    updated: one.updated + other.updated,
    ignored: one.ignored + other.ignored,
    rejected: one.rejected + other.rejected,
    errors: one.errors + other.errors,
  };
}

function reportOf(now: ImportUnderWay, outcomes: ImportOutcomes, isEnd: boolean): StepReport {
  const { lost = 0 } = now;
  const total = Math.max(now.written, endedOf(outcomes)) + now.refused + lost;
  const isWhole = now.phase === "settle" && now.isStopped !== true && now.until === undefined;
  const offset = isWhole ? now.source.file.bytes : now.at.offset;
  return {
    completedItems: endedOf(outcomes) + now.refused + lost,
    result: resultOf(now, outcomes),
    metadata: { progress: { bytes: offset, bytesTotal: now.source.file.bytes }, ...warningsView(now) },
    ...(isEnd && { totalItems: total }),
  };
}

/** Returns the part of a job's metadata that reports what rows were warned of; empty where nothing was. */
export function warningsView({ ignored, invalidAddresses, similarNames, missingValues, marked }: WarnedRows): object {
  const counts = { ignoredMembers: ignored, invalidAddresses, similarNames, missingValues, markedTexts: marked };
  return Object.fromEntries(Object.entries(counts).filter(([, rows = {}]) => Object.keys(rows).length > 0));
}

function resultOf({ written, refused, lost = 0 }: ImportUnderWay, outcomes: ImportOutcomes) {
  const { inserted, updated, ignored, rejected, errors } = outcomes;
  // A step that was killed may have written rows that nobody reported.
  const totalRecords = Math.max(written, endedOf(outcomes)) + refused + lost;
  return { totalRecords, inserted, updated, ignored, rejected: rejected + refused + lost, error: errors };
}

/** Sums the rows that have their end. */
export function endedOf({ inserted, updated, ignored, rejected, errors }: ImportOutcomes): number {
  return inserted + updated + ignored + rejected + errors;
}

function isTooMuch({ stopAfterRejections = Number.POSITIVE_INFINITY }: Input, rejected: number): boolean {
  return rejected > stopAfterRejections;
}

function endOf(
  { stopAfterRejections }: Input,
  now: Pick<ImportUnderWay, "isStopped" | "refused" | "until" | "lost">,
  { report, outcomes }: { readonly report: StepReport; readonly outcomes: ImportOutcomes },
): StepEnd<ImportProgress> {
  if (now.isStopped === true) return { kind: "failed", error: tooManyRejected(stopAfterRejections ?? 0), ...report };
  const { inserted, updated, ignored, rejected, errors } = outcomes;
  const isAllRejected = inserted + updated + ignored === 0 && now.refused + (now.lost ?? 0) + rejected + errors > 0;
  if (isAllRejected && now.until === undefined) return { kind: "failed", error: ALL_ROWS_REJECTED, ...report };
  return { kind: "done", ...report };
}

/** Error of an import none of whose rows could be used. */
export const ALL_ROWS_REJECTED: { readonly code: ErrorCode; readonly message: string } = {
  code: "ALL_ROWS_REJECTED",
  message: "All rows were rejected. `GET /v2/jobs/{id}/rejections` says why.",
};

/** Error of an import that `stopAfterRejections` ended. */
export function tooManyRejected(limit: number): { readonly code: ErrorCode; readonly message: string } {
  return { code: "VALIDATION_ERROR", message: `More than ${limit} rows were rejected. What was applied stays.` };
}
