import type { ErrorCode, JobInput } from "@headwater/contracts";
import { sleepUntilAborted } from "@headwater/kernel";
import { type ImportOutcomes, readImportOutcomes } from "@headwater/stores/imports";
import type { Transaction } from "@headwater/stores/postgres";
import {
  defineJobWithOutside,
  type JobKind,
  type JobPorts,
  type StepEnd,
  type StepReport,
  type Work,
} from "../runner/jobKind.ts";
import { beginImport, type ImportBegun } from "./beginImport.ts";
import { collectRejections, type RowsCollected } from "./collectRejections.ts";
import { type Tried, tryRows } from "./dryRun.ts";
import type { ImportJobName, ImportKind, RowReader } from "./importKind.ts";
import { type ImportAt, type ImportProgress, importProgress } from "./importProgress.ts";
import { nextRows, type RowsDone } from "./rows/nextRows.ts";
import { writeRows } from "./rows/writeRows.ts";

type Importing<Name extends ImportJobName> = Work<JobInput<Name>, ImportProgress>;

/** Rows that may be in the log before the state has applied them: what a cancel cannot take back. */
const LEAD_ROWS_MAX = 20_000;
const LEAD_LOOK_MS = 100;
const LEAD_LOOKS_MAX = 20;
const SETTLE_SECONDS = 1;

type Outside =
  | { readonly kind: "begun"; readonly begun: ImportBegun }
  | { readonly kind: "rows"; readonly done: RowsDone }
  | { readonly kind: "tried"; readonly done: RowsDone; readonly tried: readonly Tried[] }
  | { readonly kind: "collected"; readonly collected: RowsCollected }
  /** The state is behind. */
  | { readonly kind: "behind" };

/**
 * Imports rows as records of the log. Rows are written in the order of the file, chunk after chunk, and every record says its row: what a
 * killed worker wrote and did not tell is written again, and the state knows it. The state counts what becomes of the rows, with its own
 * offsets, so the job is done when each row it wrote has an end.
 */
export function defineImportJob<Name extends ImportJobName>(jobName: Name, kind: ImportKind<JobInput<Name>>): JobKind {
  return defineJobWithOutside<Name, ImportProgress, Outside>({
    jobName,
    progress: importProgress,
    outside: (work, ports) => outsideOf(work, ports, kind),
    step: (work, transaction, outside) => stepOf(work, transaction, outside),
  });
}

async function outsideOf<Name extends ImportJobName>(
  work: Importing<Name>,
  ports: JobPorts,
  kind: ImportKind<JobInput<Name>>,
): Promise<Outside> {
  const { account, input, progress: at, nowMs } = work;
  const isDryRun = input.dryRun === true;
  if (at === undefined) return { kind: "begun", begun: await beginImport(work, ports, kind) };
  if (at.phase === "collect") return { kind: "collected", collected: await collectRejections(work, at, ports) };
  if (at.phase === "settle") return { kind: "behind" };
  const reader = await kind.reader({ account, input, header: at.source.header, isDryRun, nowMs }, ports);
  if (isDryRun) return tryNext(work, at, { kind, reader, ports });
  if (!(await mayWriteMore(work, at, ports))) return { kind: "behind" };
  return { kind: "rows", done: await writeNext(work, at, { kind, reader, ports }) };
}

async function mayWriteMore(
  { jobId, account, signal }: Importing<ImportJobName>,
  { written }: ImportAt<"rows">,
  { postgres }: JobPorts,
): Promise<boolean> {
  for (let look = 0; look < LEAD_LOOKS_MAX; look++) {
    const ended = endedOf(await readImportOutcomes(postgres, { account: account.number, job: jobId }));
    if (written - ended < LEAD_ROWS_MAX) return true;
    await sleepUntilAborted(LEAD_LOOK_MS, signal);
    signal.throwIfAborted();
  }
  return false;
}

interface Writing<Name extends ImportJobName> {
  readonly kind: ImportKind<JobInput<Name>>;
  readonly reader: RowReader;
  readonly ports: JobPorts;
}

function writeNext<Name extends ImportJobName>(
  { jobId, account, nowMs, signal }: Importing<Name>,
  { source, at }: ImportAt<"rows">,
  { kind, reader, ports }: Writing<Name>,
): Promise<RowsDone> {
  const { operation, decimalMembers } = kind;
  const writing = { jobId, account, operation, reader, header: source.header, nowMs, signal };
  return nextRows({ source, accountId: account.id, at, decimalMembers }, ports, async (rows) => {
    await reader.prepare?.(rows);
    return writeRows(rows, writing, ports);
  });
}

async function tryNext<Name extends ImportJobName>(
  { jobId, account, nowMs, signal }: Importing<Name>,
  { source, at }: ImportAt<"rows">,
  { kind, reader, ports }: Writing<Name>,
): Promise<Outside> {
  const { operation, decimalMembers } = kind;
  const trial = { jobId, account, operation, reader, header: source.header, nowMs };
  const all: Tried[] = [];
  const done = await nextRows({ source, accountId: account.id, at, decimalMembers }, ports, async (rows) => {
    signal.throwIfAborted();
    const tried = await tryRows(rows, trial, ports.postgres);
    all.push(tried);
    return { written: 0, rejections: tried.rejections };
  });
  return { kind: "tried", done, tried: all };
}

async function stepOf<Name extends ImportJobName>(
  work: Importing<Name>,
  transaction: Transaction,
  outside: Outside,
): Promise<StepEnd<ImportProgress>> {
  const { progress: at } = work;
  if (outside.kind === "begun") {
    const { source, metadata } = outside.begun;
    const progress = { phase: "rows" as const, source, at: source.from, written: 0, refused: 0 };
    return { kind: "more", progress, metadata };
  }
  if (outside.kind === "tried" && at?.phase === "rows") return afterTried(at, outside);
  if (at === undefined) throw new Error("an import has no place in its source");
  const outcomes = await readImportOutcomes(transaction, { account: work.account.number, job: work.jobId });
  if (outside.kind === "rows") return afterRows(work, at, { done: outside.done, outcomes });
  if (outside.kind === "collected") return afterCollected(at, outside.collected, outcomes);
  return afterWait(work, at, outcomes);
}

function afterRows(
  { input }: Importing<ImportJobName>,
  before: ImportProgress,
  { done, outcomes }: { readonly done: RowsDone; readonly outcomes: ImportOutcomes },
): StepEnd<ImportProgress> {
  const { at, isEnd, rejections } = done;
  const written = before.written + done.written;
  const refused = before.refused + rejections.length;
  const now = { ...before, at, written, refused };
  const told = { ...reportOf(now, outcomes, isEnd), rejections };
  const stopped = stoppedBy(input, refused, outcomes);
  if (stopped !== undefined) return { kind: "failed", error: stopped, ...told };
  return { kind: "more", progress: { ...now, phase: isEnd ? "settle" : "rows" }, ...told };
}

/** The counts of a dry run are kept with its place. */
function afterTried(
  before: ImportAt<"rows">,
  { done, tried }: Extract<Outside, { kind: "tried" }>,
): StepEnd<ImportProgress> {
  const { at, isEnd, rejections } = done;
  const counts = tried.reduce((sum, { counts: more }) => addOutcomes(sum, more), before.tried ?? NO_OUTCOMES);
  const now = { ...before, at, tried: counts };
  const total = endedOf(counts);
  const preview = tried.flatMap((one) => one.preview);
  const told = {
    ...reportOf(now, counts, isEnd),
    totalItems: total,
    rejections,
    result: { ...resultOf(now, counts), totalRecords: total },
  };
  const metadata = { ...told.metadata, dryRun: true, ...(before.tried === undefined && { preview }) };
  if (isEnd) return { kind: "done", ...told, metadata };
  return { kind: "more", progress: now, ...told, metadata };
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

function afterWait(
  { input }: Importing<ImportJobName>,
  at: ImportProgress,
  outcomes: ImportOutcomes,
): StepEnd<ImportProgress> {
  const told = reportOf(at, outcomes, at.phase === "settle");
  const stopped = stoppedBy(input, at.refused, outcomes);
  if (stopped !== undefined) return { kind: "failed", error: stopped, ...told };
  const isSettled = at.phase === "settle" && endedOf(outcomes) >= at.written;
  if (!isSettled) return { kind: "wait", progress: at, seconds: SETTLE_SECONDS, ...told };
  if (outcomes.rejected + outcomes.errors === 0) return { kind: "done", ...told };
  return { kind: "more", progress: { ...at, phase: "collect", at: at.source.from }, ...told };
}

function afterCollected(
  before: ImportProgress,
  { at, isEnd, rejections }: RowsCollected,
  outcomes: ImportOutcomes,
): StepEnd<ImportProgress> {
  const total = before.written + before.refused;
  const told = { totalItems: total, completedItems: total, result: resultOf(before, outcomes), rejections };
  if (isEnd) return { kind: "done", ...told };
  return { kind: "more", progress: { ...before, phase: "collect", at }, ...told };
}

function reportOf(now: ImportProgress, outcomes: ImportOutcomes, isEnd: boolean): StepReport {
  const total = now.written + now.refused;
  const { offset } = now.phase === "settle" ? { offset: now.source.file.bytes } : now.at;
  return {
    completedItems: endedOf(outcomes) + now.refused,
    result: resultOf(now, outcomes),
    metadata: { progress: { bytes: offset, bytesTotal: now.source.file.bytes } },
    ...(isEnd && { totalItems: total }),
  };
}

function resultOf({ written, refused }: ImportProgress, outcomes: ImportOutcomes) {
  const { inserted, updated, ignored, rejected, errors } = outcomes;
  return { totalRecords: written + refused, inserted, updated, ignored, rejected: rejected + refused, error: errors };
}

function endedOf({ inserted, updated, ignored, rejected, errors }: ImportOutcomes): number {
  return inserted + updated + ignored + rejected + errors;
}

function stoppedBy(
  { stopAfterRejections }: JobInput<ImportJobName>,
  refused: number,
  { rejected, errors }: ImportOutcomes,
): { readonly code: ErrorCode; readonly message: string } | undefined {
  if (stopAfterRejections === undefined || refused + rejected + errors <= stopAfterRejections) return undefined;
  const message = `More than ${stopAfterRejections} rows were rejected. What was applied stays.`;
  return { code: "VALIDATION_ERROR", message };
}
