import { type FileResult, writeFile } from "@headwater/analytics/exports/writeFile";
import { toTimestamp } from "@headwater/contracts";
import type { Destination } from "@headwater/jobs/destinations/destination";
import { createStoredDestination } from "@headwater/jobs/destinations/keptDestination";
import { insertFile } from "@headwater/jobs/files/fileRows";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import { defineJobWithOutside, type JobKind, type JobPorts, type StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Row } from "@headwater/jobs/sources/row";
import { openDestination } from "@headwater/jobs/storage/openDestination";
import { tryForAnHour } from "@headwater/jobs/storage/tryForAnHour";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { Mapper } from "./createMapper.ts";
import {
  beginRun,
  type MadeRows,
  nextMade,
  type RunAt,
  type RunBegun,
  type RunProgress,
  type RunWork,
  rejectionOf,
  reportOf,
  runProgress,
  startOf,
  type WrittenFile,
} from "./runSource.ts";
import { sealedSecrets } from "./startRun.ts";

/** Records of a file, and about so many bytes: what is written again after a kill. */
const FILE_RECORDS_MAX = 100_000;
const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** Rows of the source that are mapped between two writes. */
const ROWS_AT_ONCE = 2_000;
/** Lines that go to the destination together. */
const LINES_AT_ONCE = 500;

type Outside =
  | RunBegun
  | { readonly kind: "silent"; readonly seconds: number }
  | {
      readonly kind: "file";
      readonly done: MadeRows;
      readonly file: WrittenFile;
      readonly rejections: readonly JobRejection[];
    }
  | { readonly kind: "manifest"; readonly manifest: WrittenFile };

interface Exporting {
  readonly ports: JobPorts;
  readonly mapper: Mapper;
}

/**
 * Writes made records as lines of JSON to the destination, file after file, and a manifest at the end. A file that a kill leaves unfinished has
 * no name, and is written again under the one that it gets.
 */
export function exportMadeRecords({ mapper }: { readonly mapper: Mapper }): JobKind {
  return defineJobWithOutside<"DataAutomationProcessList", RunProgress, Outside>({
    jobName: "DataAutomationProcessList",
    progress: runProgress,
    async outside(work, ports) {
      const { progress, nowMs, signal } = work;
      if (progress === undefined || "phase" in progress) {
        const secrets = sealedSecrets.decode(work.secrets).source;
        return beginRun({ ...work, secrets }, progress?.since ?? nowMs, ports);
      }
      const { isRead = false, awaySince: since = nowMs } = progress;
      const write = (): Promise<Extract<Outside, { kind: "file" | "manifest" }>> =>
        isRead ? writeManifest(work, progress, ports) : writeNext(work, progress, { ports, mapper });
      const sent = await tryForAnHour(write, { since, nowMs, signal });
      return sent.kind === "away" ? { kind: "silent", seconds: sent.seconds } : sent;
    },
    step: exportStep,
  });
}

/** Writes the next file; one that is the only one may be empty. */
async function writeNext(
  work: RunWork,
  from: RunAt,
  exporting: Exporting,
): Promise<Extract<Outside, { kind: "file" }>> {
  const { signal } = work;
  const name = fileName(work, `-${String(from.files.length + 1).padStart(5, "0")}.jsonl`);
  const rejections: JobRejection[] = [];
  const made = { done: { at: from.at, made: from.made, isEnd: false }, rows: 0 };
  const lines = linesOf(work, from, { exporting, made, rejections });
  const destination = destinationOf(work, exporting.ports);
  const written = await writeFile(lines, name, { destination, signal, beforeFinish: async () => undefined });
  return { kind: "file", done: made.done, file: toFile(name, made.rows, written), rejections };
}

interface Lines {
  readonly exporting: Exporting;
  /** Progress so far: rows of the source, and records of the file. */
  readonly made: { done: MadeRows; rows: number };
  readonly rejections: JobRejection[];
}

async function* linesOf(
  { account, input }: RunWork,
  { source }: RunAt,
  { exporting, made, rejections }: Lines,
): AsyncGenerator<Uint8Array> {
  const limits = { account, input, rowsMax: ROWS_AT_ONCE };
  for (let bytes = 0; !made.done.isEnd && made.rows < FILE_RECORDS_MAX && bytes < FILE_BYTES_MAX; ) {
    const chunks: Buffer[] = [];
    made.done = await nextMade({ ...made.done, source }, limits, exporting, async (rows) => {
      const lines = await runInSlices(mapInSteps(rows, lineOf));
      for (const [index, line] of lines.entries()) {
        const row = rows[index];
        if (line !== undefined) chunks.push(line);
        else if (row !== undefined) rejections.push(rejectionOf(row, refusalOf(row)));
      }
      made.rows += lines.filter((line) => line !== undefined).length;
    });
    for (let at = 0; at < chunks.length; at += LINES_AT_ONCE) {
      const chunk = Buffer.concat(chunks.slice(at, at + LINES_AT_ONCE));
      bytes += chunk.length;
      yield chunk;
    }
  }
}

function lineOf(row: Row): Buffer | undefined {
  return row.kind === "object" ? Buffer.from(`${JSON.stringify(row.members)}\n`) : undefined;
}

function refusalOf(row: Row) {
  const message = row.kind === "broken" ? row.message : "The row cannot be read.";
  return { code: "VALIDATION_ERROR", message, path: null };
}

/** Writes the manifest last: whoever waits for it reads whole exports. */
async function writeManifest(work: RunWork, { files, made, rejected }: RunAt, ports: JobPorts) {
  const { jobId, input, createdAt, signal } = work;
  const name = fileName(work, ".manifest.json");
  const manifest = {
    ...{ jobId, jobName: "DataAutomationProcessList", dataJob: input.dataJob, runMarker: input.runMarker },
    ...{ createdAt: toTimestamp(createdAt), format: "jsonl", compression: "none", rows: made - rejected },
    files: files.map(({ id: _, ...file }) => file),
  };
  const bytes = async function* () {
    yield Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`);
  };
  const destination = destinationOf(work, ports);
  const written = await writeFile(bytes(), name, { destination, signal, beforeFinish: async () => undefined });
  return { kind: "manifest", manifest: toFile(name, 0, written) } as const;
}

function fileName({ jobId, input }: RunWork, end: string): string {
  return `${input.runMarker}-${jobId}${end}`;
}

function toFile(name: string, rows: number, { keptId: id, bytes, sha256 }: FileResult): WrittenFile {
  return { ...(id !== undefined && { id }), name, rows, bytes, sha256 };
}

function destinationOf(work: RunWork, ports: JobPorts): Destination {
  const { account, jobId, input, secrets: sealed } = work;
  if (input.destination === undefined)
    return createStoredDestination({ files: ports.files, accountId: account.id, jobId });
  const secrets = sealedSecrets.decode(sealed).destination;
  return openDestination({ ...work, secrets }, { storage: input.destination, name: input.runMarker }, ports);
}

async function exportStep(work: RunWork, transaction: Transaction, outside: Outside): Promise<StepEnd<RunProgress>> {
  const { progress, nowMs } = work;
  if (outside.kind === "begun") {
    return { kind: "more", progress: startOf(outside.begun), metadata: { ...outside.begun.metadata, files: [] } };
  }
  if (outside.kind === "away") {
    const { seconds, since } = outside;
    return { kind: "wait", progress: { phase: "reach", since }, seconds, isThrottled: true };
  }
  if (progress === undefined || "phase" in progress) throw new Error("a run has a source");
  if (outside.kind === "silent") {
    const awaySince = progress.awaySince ?? nowMs;
    return { kind: "wait", progress: { ...progress, awaySince }, seconds: outside.seconds, isThrottled: true };
  }
  if (outside.kind === "manifest") {
    await keepFile(work, transaction, outside.manifest, "application/json");
    const { metadata, ...report } = reportOf(progress);
    return { kind: "done", ...report, metadata: { ...metadata, manifest: outside.manifest } };
  }
  return afterFile(work, progress, { transaction, ...outside });
}

async function afterFile(
  work: RunWork,
  before: RunAt,
  { transaction, done, file, rejections }: Extract<Outside, { kind: "file" }> & { readonly transaction: Transaction },
): Promise<StepEnd<RunProgress>> {
  await keepFile(work, transaction, file, "application/x-ndjson");
  const { at, made, isEnd: isRead } = done;
  const written = { ...before.written, inserted: before.written.inserted + file.rows };
  const rejected = before.rejected + rejections.length;
  const files = [...before.files, file];
  const now = { ...before, at, made, written, rejected, files, isRead, awaySince: undefined };
  const { metadata, ...report } = reportOf(now);
  return { kind: "more", progress: now, ...report, metadata: { ...metadata, files }, rejections };
}

async function keepFile(
  { jobId: job, account, nowMs: createdAt }: RunWork,
  transaction: Transaction,
  { id, name, bytes, sha256, rows }: WrittenFile,
  contentType: string,
): Promise<void> {
  if (id === undefined) return;
  const described = { id, name, bytes, sha256, contentType, manifest: { rows } };
  await insertFile(transaction, { ...described, account: account.number, job, createdAt });
}
