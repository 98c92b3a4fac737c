import { setImmediate } from "node:timers/promises";
import type { ImportJobName, JobInput } from "@headwater/contracts";
import { readImportOutcomes } from "@headwater/intake/state/importCounts";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import {
  defineJobWithOutside,
  type JobKind,
  type JobPorts,
  type StepEnd,
  type Work,
} from "@headwater/jobs/runner/jobKind";
import type { Row } from "@headwater/jobs/sources/row";
import type { TriedInVain } from "@headwater/jobs/storage/tryForAnHour";
import { sleepUntilAborted } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { countLosses } from "@headwater/postgres/streams/losses";
import { beginImport, type ImportBegun } from "./beginImport.ts";
import { collectRejections, type RowsCollected } from "./collectRejections.ts";
import { type Tried, tryRows } from "./dryRun.ts";
import type { ImportKind, RowReader } from "./importKind.ts";
import { type ImportAt, type ImportProgress, type ImportUnderWay, importProgress } from "./importProgress.ts";
import {
  afterCanceled,
  afterCollected,
  afterLoss,
  afterRows,
  afterTried,
  afterWait,
  endedOf,
  type RowsTried,
} from "./importSteps.ts";
import { followRows, type RowsFollowed } from "./rows/followRows.ts";
import { nextRows, type RowsDone, type RowsHandled } from "./rows/nextRows.ts";
import { IMPORTS_TOPIC, type RowWriting, writeRows } from "./rows/writeRows.ts";
import { RowWarnings, type WarnedRows } from "./rowWarnings.ts";

type Importing<Name extends ImportJobName> = Work<JobInput<Name>, ImportProgress>;

/** Rows that may be in the log before the state has applied them: what a cancel cannot take back. */
const LEAD_ROWS_MAX = 20_000;
const LEAD_CHECK_MS = 100;
const LEAD_CHECKS_MAX = 20;

type Outside =
  | { readonly kind: "begun"; readonly begun: ImportBegun }
  | { readonly kind: "away"; readonly since: number; readonly seconds: number }
  | { readonly kind: "rows"; readonly done: RowsDone; readonly made: number | undefined; readonly warned: WarnedRows }
  | ({ readonly kind: "tried" } & RowsTried)
  | { readonly kind: "collected"; readonly collected: RowsCollected }
  /** The state is behind. */
  | { readonly kind: "behind" }
  | ({ readonly kind: "canceled" } & RowsFollowed)
  /** A loss of the log was adopted since the import began, or since it last found one. */
  | { readonly kind: "loss"; readonly losses: number; readonly followed: RowsFollowed };

/**
 * Imports rows as records of the log. Rows are written in the order of the file, chunk after chunk, and every record says its row: what a
 * killed worker wrote and did not report is written again, and the state knows it. The state counts what becomes of the rows, with its own
 * offsets, so the job is done when each row it wrote has an end. A canceled job writes no more, and counts on until then.
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
  const { input, progress: at, nowMs } = work;
  const isDryRun = input.dryRun === true;
  if (at === undefined || at.phase === "reach") return begin(work, at?.since ?? nowMs, { ports, kind });
  if (at.phase === "collect") {
    const reader = await readerOf(work, at, { ports, kind });
    return { kind: "collected", collected: await collectRejections(work, at, { reader, ports }) };
  }
  if (work.canceled.aborted && !isDryRun) return { kind: "canceled", ...(await followRows(work, at, ports)) };
  const losses = isDryRun ? 0 : await countLosses(ports.postgres, IMPORTS_TOPIC);
  if (losses > (at.losses ?? 0))
    return { kind: "loss", losses, followed: await followRows(work, { until: at.lossUntil }, ports) };
  if (at.phase === "settle") return { kind: "behind" };
  const reader = await readerOf(work, at, { ports, kind });
  const warnings = new RowWarnings(at);
  if (isDryRun) return tryNext(work, at, { kind, reader, warnings, ports });
  if (!(await mayWriteMore(work, at, ports)) || work.canceled.aborted) return { kind: "behind" };
  const { done, made } = await writeNext(work, at, { kind, reader, warnings, ports });
  return { kind: "rows", done, made, warned: warnings.counts };
}

function readerOf<Name extends ImportJobName>(
  { account, input, nowMs }: Importing<Name>,
  { source: { header } }: ImportUnderWay,
  { ports, kind }: { readonly ports: JobPorts; readonly kind: ImportKind<JobInput<Name>> },
): Promise<RowReader> {
  return kind.reader({ account, input, header, isDryRun: input.dryRun === true, nowMs }, ports);
}

async function begin<Name extends ImportJobName>(
  work: Importing<Name>,
  since: number,
  { ports, kind }: { readonly ports: JobPorts; readonly kind: ImportKind<JobInput<Name>> },
): Promise<Outside> {
  const begun: ImportBegun | TriedInVain = await beginImport({ ...work, since }, ports, kind);
  return "kind" in begun ? { ...begun, since } : { kind: "begun", begun };
}

async function mayWriteMore(
  { jobId, account, signal, canceled }: Importing<ImportJobName>,
  { written }: ImportAt<"rows">,
  { postgres }: JobPorts,
): Promise<boolean> {
  for (let check = 0; check < LEAD_CHECKS_MAX && !canceled.aborted; check++) {
    const ended = endedOf(await readImportOutcomes(postgres, { account: account.number, job: jobId }));
    if (written - ended < LEAD_ROWS_MAX) return true;
    await sleepUntilAborted(LEAD_CHECK_MS, signal);
    signal.throwIfAborted();
  }
  return false;
}

interface Writing<Name extends ImportJobName> {
  readonly kind: ImportKind<JobInput<Name>>;
  readonly reader: RowReader;
  readonly warnings: RowWarnings;
  readonly ports: JobPorts;
}

async function writeNext<Name extends ImportJobName>(
  work: Importing<Name>,
  before: ImportAt<"rows">,
  { kind, reader, warnings, ports }: Writing<Name>,
): Promise<{ readonly done: RowsDone; readonly made: number | undefined }> {
  const { jobId, account, input, nowMs, signal, canceled } = work;
  const { suppressTriggers } = input;
  const { source, at } = before;
  const { decimalMembers } = kind;
  const operation = kind.operationOf(input);
  const { header, unnamed, form } = source;
  const { isFormulaSafe } = form;
  const rules = { header, unnamed, isFormulaSafe, suppressTriggers };
  const writing = { jobId, account, operation, reader, ...rules, warnings, nowMs, signal };
  let refused = before.refused;
  let made = before.made ?? 0;
  const reading = { source, accountId: account.id, at, decimalMembers, canceled };
  const done = await nextRows(reading, ports, async (rows) => {
    const rejectionsMax = await rejectionsLeft(work, refused, ports);
    if (rejectionsMax < 0) return { written: 0, rejections: [], isLast: true };
    await reader.prepare?.(rows);
    const expanded = await reader.expand?.(rows, made);
    made += expanded?.length ?? 0;
    const written = await writePieces(expanded ?? rows, { ...writing, rejectionsMax }, ports);
    refused += written.rejections.length;
    return written;
  });
  return { done, made: reader.expand === undefined ? undefined : made };
}

/** Rows that are validated between two turns of the event loop: what is refused waits for no log. */
const PIECE_ROWS = 2_000;

/** Writes rows piece by piece: a kind that expands rows may make very many of a few. */
async function writePieces(rows: readonly Row[], writing: RowWriting, ports: JobPorts): Promise<RowsHandled> {
  const rejections: JobRejection[] = [];
  let written = 0;
  for (let from = 0; from < rows.length; from += PIECE_ROWS) {
    const rejectionsMax = writing.rejectionsMax - rejections.length;
    const piece = await writeRows(rows.slice(from, from + PIECE_ROWS), { ...writing, rejectionsMax }, ports);
    written += piece.written;
    for (const rejection of piece.rejections) rejections.push(rejection);
    if (piece.isLast === true) return { written, rejections, isLast: true };
    if (from + PIECE_ROWS < rows.length) await setImmediate();
  }
  return { written, rejections };
}

/** Returns how many more rows may be rejected, by what the state has rejected by now. */
async function rejectionsLeft(
  { jobId, account, input: { stopAfterRejections } }: Importing<ImportJobName>,
  refused: number,
  { postgres }: JobPorts,
): Promise<number> {
  if (stopAfterRejections === undefined) return Number.POSITIVE_INFINITY;
  const { rejected, errors } = await readImportOutcomes(postgres, { account: account.number, job: jobId });
  return stopAfterRejections - refused - rejected - errors;
}

async function tryNext<Name extends ImportJobName>(
  { jobId, account, input, nowMs, signal }: Importing<Name>,
  { source, at }: ImportAt<"rows">,
  { kind, reader, warnings, ports }: Writing<Name>,
): Promise<Outside> {
  const { decimalMembers } = kind;
  const operation = kind.operationOf(input);
  const { header, unnamed, form } = source;
  const { isFormulaSafe } = form;
  const rules = { header, unnamed, isFormulaSafe, suppressTriggers: input.suppressTriggers };
  const trial = { jobId, account, operation, reader, ...rules, warnings, nowMs };
  const all: Tried[] = [];
  const done = await nextRows({ source, accountId: account.id, at, decimalMembers }, ports, async (rows) => {
    signal.throwIfAborted();
    await reader.prepare?.(rows);
    const tried = await tryRows(rows, trial, ports.postgres);
    all.push(tried);
    return { written: 0, rejections: tried.rejections };
  });
  const { newAttributes: attributes, newLists: lists } = reader;
  return { kind: "tried", done, tried: all, warned: warnings.counts, brought: { attributes, lists } };
}

async function stepOf<Name extends ImportJobName>(
  work: Importing<Name>,
  transaction: Transaction,
  outside: Outside,
): Promise<StepEnd<ImportProgress>> {
  const { progress: at } = work;
  if (outside.kind === "begun") return afterBegun(outside.begun, await countLosses(transaction, IMPORTS_TOPIC));
  if (outside.kind === "away") {
    const { seconds, since } = outside;
    return { kind: "wait", progress: { phase: "reach", since }, seconds, isThrottled: true };
  }
  if (at === undefined || at.phase === "reach") throw new Error("an import has no place in its source");
  return underWay(work, at, { transaction, outside });
}

async function underWay(
  { account, jobId, input }: Importing<ImportJobName>,
  at: ImportUnderWay,
  {
    transaction,
    outside,
  }: { readonly transaction: Transaction; readonly outside: Exclude<Outside, { kind: "begun" | "away" }> },
): Promise<StepEnd<ImportProgress>> {
  if (outside.kind === "tried") return afterTried(input, at, outside);
  const outcomes = await readImportOutcomes(transaction, { account: account.number, job: jobId });
  if (outside.kind === "loss") return afterLoss(at, { ...outside, outcomes });
  if (outside.kind === "rows") return afterRows(input, at, { ...outside, outcomes });
  if (outside.kind === "canceled") return afterCanceled(input, at, { followed: outside, outcomes });
  if (outside.kind === "collected") return afterCollected(input, at, { collected: outside.collected, outcomes });
  return afterWait(input, at, outcomes);
}

function afterBegun({ source, metadata }: ImportBegun, losses: number): StepEnd<ImportProgress> {
  const progress = { phase: "rows" as const, source, at: source.from, written: 0, refused: 0, losses };
  return { kind: "more", progress, metadata };
}
