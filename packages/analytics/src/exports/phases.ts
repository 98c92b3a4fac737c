import { STAGING_PREFIX } from "@headwater/clickhouse/staging";
import { insertFile } from "@headwater/jobs/files/fileRows";
import type { JobPorts, StepEnd } from "@headwater/jobs/runner/jobKind";
import { type TriedInVain, tryForAnHour } from "@headwater/jobs/storage/tryForAnHour";
import { sleepUntilAborted } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { type StreamWatermark, takeStreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { lastErasure } from "@headwater/records/erasures/erasures";
import type { Exporting } from "./exporting.ts";
import type { PartDefinition, StagedPart } from "./exportKind.ts";
import { contentTypeOf } from "./fileNames.ts";
import { type Checked, type Finished, finishExport } from "./finishing.ts";
import { rowsOf, watermarkView } from "./manifest.ts";
import type { At, ExportProgress, Part, WrittenFile } from "./progress.ts";
import { createStagingTable, cutFile, unlessLost } from "./stagingTable.ts";
import { dropTablesUpTo } from "./stagingTables.ts";
import { behindWatermark, checkSinks, type WaitsFor } from "./waiting.ts";
import { type NextFile, writeNextFile } from "./writeNextFile.ts";

/** Groups are mostly a little behind: for this long they are read again before the worker is given free. */
const PATIENCE_MS = 1_500;

const CHECK_AGAIN_MS = 50;

/** Result of a step outside of Postgres, by its phase. */
export type Outcome =
  | { readonly phase: "intake" | "sinks"; readonly look: Check }
  | ({ readonly phase: "stage" } & StagedParts)
  | ({ readonly phase: "write" } & NextFile)
  | ({ readonly phase: "manifest" } & (Finished | Checked))
  | { readonly phase: "end" }
  /** ClickHouse was put back or emptied since the rows were staged. */
  | { readonly phase: "lost" }
  /** The destination did not answer. */
  | ({ readonly phase: "away" } & TriedInVain);

const CHECK_EVERY_SECONDS = 1;
const NO_WAIT = { waitsFor: undefined };

export async function workOutside(work: Exporting, ports: JobPorts): Promise<Outcome> {
  const at = work.progress;
  switch (at?.phase) {
    case undefined:
    case "intake":
    case "sinks":
      return { phase: at?.phase ?? "intake", look: await checkUntilPassed(work, at, ports) };
    case "stage":
      return { phase: "stage", ...(await stageParts(work, ports)) };
    case "write":
      return send(work, at, () => writeStaged(work, at, ports));
    case "manifest":
      return send(work, at, async () => ({ phase: "manifest", ...(await finishExport(work, at, ports)) }));
    case "end":
      await dropTablesUpTo(ports, work);
      return { phase: "end" };
  }
}

/** Stores how far the export is; what it reports is there already. */
export async function exportStep(
  work: Exporting,
  transaction: Transaction,
  outcome: Outcome,
): Promise<StepEnd<ExportProgress>> {
  const at = work.progress;
  switch (outcome.phase) {
    case "intake":
    case "sinks":
      return afterCheck(work, transaction, outcome.look);
    case "stage":
      return afterStage(at, outcome);
    case "write":
      return afterWrite(work, transaction, outcome);
    case "manifest":
      return afterManifest(work, transaction, outcome);
    case "lost":
      return stageAgain(work, transaction);
    case "away":
      return afterSilence(work, outcome);
    case "end":
      return { kind: "done" };
  }
}

async function writeStaged(work: Exporting, at: At<"write">, ports: JobPorts): Promise<Outcome> {
  const next = await unlessLost(writeNextFile(work, at, ports));
  return next === undefined ? { phase: "lost" } : { phase: "write", ...next };
}

/** Tries for an hour, in which the job waits between attempts. */
async function send<Sent extends Outcome>(
  { nowMs, signal }: Exporting,
  { awaySince: since = nowMs }: At<"write" | "manifest">,
  run: () => Promise<Sent>,
): Promise<Outcome> {
  const sent = await tryForAnHour(run, { since, nowMs, signal });
  return "kind" in sent && sent.kind === "away" ? { phase: "away", ...sent } : sent;
}

function afterSilence({ progress, nowMs }: Exporting, { seconds }: TriedInVain): StepEnd<ExportProgress> {
  if (progress?.phase !== "write" && progress?.phase !== "manifest") throw new TypeError("only files are sent");
  return { kind: "wait", progress: { ...progress, awaySince: progress.awaySince ?? nowMs }, seconds };
}

type End = Promise<StepEnd<ExportProgress>>;

async function afterCheck(work: Exporting, transaction: Transaction, check: Check): End {
  const { progress, nowMs } = work;
  const metadata = { watermark: watermarkView(work.options.watermark) };
  if (check.kind === "waits") {
    const waiting = {
      isThrottled: true,
      seconds: CHECK_EVERY_SECONDS,
      metadata: { ...metadata, waitsFor: check.waitsFor },
    };
    if (progress?.phase !== "sinks" || check.marks === undefined)
      return { kind: "wait", progress: { phase: "intake" }, ...waiting };
    return { kind: "wait", progress: { ...progress, marks: check.marks }, ...waiting };
  }
  if (progress?.phase === "sinks") {
    const next = { phase: "stage" as const, erasedUpTo: progress.erasedUpTo };
    return { kind: "more", progress: next, metadata: { ...metadata, ...NO_WAIT } };
  }
  return {
    kind: "more",
    progress: await waitForSinks(work, transaction, nowMs),
    metadata: { ...metadata, ...NO_WAIT },
  };
}

/** Erasures that are committed by now are in ClickHouse when all up to the marks is. */
async function waitForSinks({ account }: Exporting, transaction: Transaction, since: number): Promise<At<"sinks">> {
  const erasedUpTo = await lastErasure(transaction, account.number);
  return { phase: "sinks", marks: await takeStreamWatermark(transaction), erasedUpTo, since };
}

async function afterStage(at: ExportProgress | undefined, { parts, totalItems }: StagedParts): End {
  const erasedUpTo = at?.phase === "stage" ? at.erasedUpTo : "";
  const progress = { phase: "write" as const, erasedUpTo, parts: [...parts], files: [], part: 0, from: 0, place: 0 };
  return { kind: "more", progress, totalItems, completedItems: 0, metadata: { files: [] } };
}

async function afterWrite(work: Exporting, transaction: Transaction, { file, next, completedItems }: NextFile): End {
  if (file !== undefined) await keepFile(work, transaction, file);
  if (next.phase !== "write" && next.phase !== "manifest")
    throw new TypeError("files are followed by files or the manifest");
  const progress = { ...next, awaySince: undefined };
  return { kind: "more", progress, completedItems, metadata: { files: next.files } };
}

async function afterManifest(
  work: Exporting,
  transaction: Transaction,
  outcome: Extract<Outcome, { phase: "manifest" }>,
): End {
  const at = work.progress;
  if (at?.phase !== "manifest") throw new TypeError("the manifest has a phase of its own");
  const isNews = (await lastErasure(transaction, work.account.number)) !== outcome.erasedUpTo;
  if (outcome.kind === "erased") return stageAgain(work, transaction);
  // Somebody was erased since it was looked: look once more.
  if (isNews) return { kind: "more", progress: at };
  const { manifest, data } = outcome;
  await keepFile(work, transaction, { ...manifest, rows: 0 }, "application/json");
  const result = { totalRecords: rowsOf(at.files) };
  return { kind: "more", progress: { phase: "end" }, result, metadata: { manifest, ...(data && { data }) } };
}

/** Begins before the staging: what the files so far hold is not what they should. */
async function stageAgain(work: Exporting, transaction: Transaction): End {
  const progress = await waitForSinks(work, transaction, work.nowMs);
  return { kind: "more", progress, completedItems: 0, metadata: { files: [] } };
}

async function keepFile(
  { jobId, account, nowMs, options }: Exporting,
  transaction: Transaction,
  { id, name, bytes, sha256, rows }: WrittenFile,
  contentType = contentTypeOf(options),
): Promise<void> {
  if (id === undefined) return;
  const described = { id, name, bytes, sha256, contentType, manifest: { rows } };
  await insertFile(transaction, { ...described, account: account.number, job: jobId, createdAt: nowMs });
}

type Check =
  | { readonly kind: "passed" }
  | { readonly kind: "waits"; readonly waitsFor: WaitsFor; readonly marks?: StreamWatermark };

/** Checks whether the watermark is passed, by `state` first and then by those that write ClickHouse. */
async function checkUntilPassed(
  work: Exporting,
  at: ExportProgress | undefined,
  { postgres, clock }: Pick<JobPorts, "postgres" | "clock">,
): Promise<Check> {
  const until = clock.monotonicMs() + PATIENCE_MS;
  let marks = at?.phase === "sinks" ? at.marks : undefined;
  for (;;) {
    const nowMs = clock.nowMs();
    const read = await checkOnce();
    if (read.kind === "passed" || clock.monotonicMs() >= until) return read;
    marks = read.marks;
    await sleepUntilAborted(CHECK_AGAIN_MS, work.signal);

    async function checkOnce(): Promise<Check> {
      if (at?.phase === "sinks" && marks !== undefined)
        return checkSinks(postgres, marks, { nowMs, sinceMs: at.since });
      const waitsFor = await behindWatermark(postgres, work.options.watermark, nowMs);
      return waitsFor === undefined ? { kind: "passed" } : { kind: "waits", waitsFor };
    }
  }
}

interface StagedParts {
  readonly parts: readonly Part[];
  readonly totalItems: number;
}

/** Has the kind stage its rows, in new tables: those of earlier attempts go first. */
async function stageParts(work: Exporting, ports: JobPorts): Promise<StagedParts> {
  const { jobId, account, nowMs, signal, attempt } = work;
  const { postgres, clickhouse, bulk, clock, logger } = ports;
  await dropTablesUpTo(ports, { jobId, attempt });
  const created: { readonly definition: PartDefinition; readonly staged: StagedPart }[] = [];
  const part = async (definition: PartDefinition) => {
    const at = { jobId, attempt: String(attempt), place: created.length, columns: definition.columns };
    const staged = await createStagingTable({ ...at, bulk, clickhouse, signal });
    created.push({ definition, staged });
    return staged;
  };
  const scratch = (name: string) => `${STAGING_PREFIX}${jobId}_${attempt}_${name}`;
  await work.stage({ scratch, jobId, account, nowMs, signal, postgres, clickhouse, bulk, clock, logger, part });
  const parts: Part[] = [];
  for (const { definition, staged } of created) {
    const { rows } = await cutFile(clickhouse, { table: staged.table, from: 0, rowsMax: 0, signal });
    parts.push({ ...definition, columns: [...definition.columns], table: staged.table, rows });
  }
  return { parts, totalItems: parts.reduce((sum, { rows }) => sum + rows, 0) };
}
