/// <reference lib="esnext.temporal" />
import { hash } from "node:crypto";
import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { readNames } from "@headwater/audiences/criteria/examineCriteria";
import { type JobInput, toTimestamp } from "@headwater/contracts";
import { type CriteriaNode, parseCriteria, withLists } from "@headwater/criteria";
import { insertFile } from "@headwater/jobs/files/fileRows";
import type { WrittenFile } from "@headwater/jobs/files/fileStore";
import { isRunning, lockJob } from "@headwater/jobs/queue/jobs";
import { defineJobWithOutside, type JobPorts, type StepEnd, type Work } from "@headwater/jobs/runner/jobKind";
import { HeadwaterError } from "@headwater/kernel";
import { readSendSettings } from "@headwater/messaging/frozen/freezeTemplate";
import { readPublishedTemplates } from "@headwater/messaging/templates/templates";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { templatesOf } from "../orchestrations/checks.ts";
import { criteriaOfEntry, criteriaOfExits, criteriaOfNode } from "../orchestrations/criteria.ts";
import { type Composition, compositionSchema } from "../orchestrations/orchestration.ts";
import type { Journey } from "../orchestrations/run.ts";
import { runView } from "../orchestrations/runView.ts";
import type { TemplateFacts } from "./answers.ts";
import type { Stretch } from "./facts.ts";
import type { SimulatedRun } from "./simulateContact.ts";
import { type SliceRules, simulateSlice } from "./slice.ts";
import { addContact, noTotals, type Totals, toCsv, totalsShape, viewOfTotals } from "./totals.ts";

/** Bytes of the parts that were written; their names follow from their numbers. */
const parts = z.array(z.int());

const progressShape = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("run"), after: z.int(), parts, runs: z.int(), totals: totalsShape }),
  z.object({ phase: z.literal("write"), parts, runs: z.int(), totals: totalsShape }),
  z.object({ phase: z.literal("clean"), parts }),
]);
type Progress = z.output<typeof progressShape>;
type Simulating = Work<JobInput<"SimulateOrchestration">, Progress>;

/** Runs that one step follows: what a kill costs. */
const RUNS_PER_STEP = 20_000;
const SLICES_PER_STEP = 20;
/** Bytes of all paths together. */
const PATHS_BYTES_MAX = 8 * 1024 * 1024 * 1024;

interface NamedFile extends WrittenFile {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
}

type Outside =
  | { readonly phase: "run"; readonly next: Progress }
  | { readonly phase: "write"; readonly files: readonly NamedFile[]; readonly view: object }
  | { readonly phase: "clean" };

/**
 * Follows contacts of the past through a version, slice by slice: a step writes the paths of its runs to a part of its own and stores the numbers
 * so far, so a kill repeats one step. It reads ClickHouse and writes files alone: nothing is sent, and no contact changes.
 */
export const simulateOrchestrationJob = defineJobWithOutside<"SimulateOrchestration", Progress, Outside>({
  jobName: "SimulateOrchestration",
  progress: progressShape,
  outside: async (work, ports) => {
    const at = work.progress ?? { phase: "run", after: 0, parts: [], runs: 0, totals: noTotals() };
    switch (at.phase) {
      case "run":
        return { phase: "run", next: await runSlices(work, at, ports) };
      case "write":
        return { phase: "write", ...(await writeFiles(work, at, ports)) };
      case "clean":
        for (const part of at.parts.keys()) await ports.files.remove(keyOf(work, partName(part)));
        return { phase: "clean" };
    }
  },
  step: (work, transaction, done) => end(work, transaction, done),
  giveUp: ({ jobId }, ports) => removeParts(jobId, ports),
});

/** Removes the parts of a job that was canceled. Another worker that has taken it goes on with them. */
async function removeParts(jobId: string, { postgres, files }: JobPorts): Promise<void> {
  const job = await postgres.transaction((transaction) => lockJob(transaction, jobId));
  if (job === undefined || isRunning(job)) return;
  const account = await findAccountByNumber(postgres, job.account);
  if (account === undefined) return;
  const written = progressShape.safeParse(job.progress).data?.parts ?? [];
  // The last step may have written one more.
  for (let part = 0; part <= written.length; part++) await files.remove(keyOf({ jobId, account }, partName(part)));
}

async function end(work: Simulating, transaction: Transaction, done: Outside): Promise<StepEnd<Progress>> {
  switch (done.phase) {
    case "run": {
      const runs = "runs" in done.next ? done.next.runs : 0;
      return { kind: "more", progress: done.next, completedItems: runs, totalItems: runs };
    }
    case "write": {
      const { jobId: job, account, nowMs: createdAt } = work;
      for (const file of done.files)
        await insertFile(transaction, { ...file, account: account.number, job, manifest: {}, createdAt });
      const files = done.files.map(({ id, name, bytes, sha256 }) => ({ id, name, bytes, sha256 }));
      const parts = work.progress?.phase === "write" ? work.progress.parts : [];
      return { kind: "more", progress: { phase: "clean", parts }, metadata: { simulation: done.view, files } };
    }
    case "clean":
      return { kind: "done" };
  }
}

async function runSlices(
  work: Simulating,
  at: Extract<Progress, { phase: "run" }>,
  ports: JobPorts,
): Promise<Progress> {
  const rules = await readRules(work, ports);
  const { timezone } = rules.rules.journey;
  const totals: Totals = structuredClone(at.totals);
  const lines: string[] = [];
  let { after } = at;
  for (let slices = 0; slices < SLICES_PER_STEP && lines.length < RUNS_PER_STEP; slices++) {
    const slice = await simulateSlice(after, rules, {
      clickHouse: ports.clickhouse,
      postgres: ports.postgres,
      signal: work.signal,
    });
    for (const { cid, simulation } of slice.contacts) {
      addContact(totals, simulation, (atMs) => dayOf(atMs, timezone));
      for (const one of simulation.runs()) if (one.run.state !== "entering") lines.push(lineOf(work, cid, one));
    }
    if (slice.isCut) totals.cutContacts += 1;
    if (slice.last === undefined) {
      const parts = await writePart(work, at.parts, lines, ports);
      return { phase: "write", parts, runs: at.runs + lines.length, totals };
    }
    after = slice.last;
  }
  const parts = await writePart(work, at.parts, lines, ports);
  return { phase: "run", after, parts, runs: at.runs + lines.length, totals };
}

function lineOf({ input }: Simulating, cid: string, { run, path, isAssumed }: SimulatedRun): string {
  const steps = path.map(({ node, at, edge = null }) => ({ node, at, edge }));
  const view = runView({ cid, run }, steps);
  return `${JSON.stringify({ ...view, version: input.version, ...(isAssumed && { assumed: true }) })}\n`;
}

async function* chunksOf(lines: readonly string[]): AsyncGenerator<string> {
  for (let from = 0; from < lines.length; from += 1_000) yield lines.slice(from, from + 1_000).join("");
}

/** Writes the next part. @returns the bytes of all parts. */
async function writePart(
  work: Simulating,
  parts: readonly number[],
  lines: readonly string[],
  { files }: JobPorts,
): Promise<number[]> {
  const { bytes } = await files.write(keyOf(work, partName(parts.length)), chunksOf(lines));
  return [...parts, bytes];
}

/** Joins the parts, and writes the numbers as JSON and CSV. The same step writes the same files under the same names. */
async function writeFiles(work: Simulating, at: Extract<Progress, { phase: "write" }>, { files }: JobPorts) {
  const { input, jobId, account } = work;
  const { composition } = readVersion(work);
  const numbers = viewOfTotals(
    at.totals,
    composition.actions.map(({ id }) => id),
  );
  const view = {
    ...{ orchestrationID: input.orchestration, version: input.version },
    ...{ from: toTimestamp(input.from), to: toTimestamp(input.to), basis: input.basis },
    ...{ samplePercent: input.samplePercent, seed: input.seed, assume: input.assume },
    ...numbers,
  };
  const name = `simulation-${input.orchestration}-${jobId}`;
  const write = async (suffix: string, contentType: string, chunks: AsyncIterable<string | Uint8Array>) => {
    const key = { accountId: account.id, id: keyOf(work, suffix).id };
    const written = await files.write(key, chunks, { bytesMax: PATHS_BYTES_MAX });
    return { ...written, id: key.id, name: `${name}${suffix}`, contentType };
  };
  return {
    view,
    files: [
      await write(".json", "application/json", oneText(`${JSON.stringify(view, null, 2)}\n`)),
      await write(".csv", "text/csv", oneText(toCsv(numbers))),
      await write("-paths.jsonl", "application/x-ndjson", partsOf(work, at.parts, files)),
    ],
  };
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}

async function* partsOf(
  work: Simulating,
  parts: readonly number[],
  files: JobPorts["files"],
): AsyncGenerator<Uint8Array> {
  for (const [part, bytes] of parts.entries())
    yield* files.read(keyOf(work, partName(part)), { start: 0, end: bytes - 1 });
}

function partName(part: number): string {
  return `part ${part}`;
}

/** One file of a job, whoever writes it and however often. */
function keyOf({ jobId, account }: Pick<Simulating, "jobId" | "account">, name: string) {
  return { accountId: account.id, id: hash("sha256", `${jobId}\nsimulation${name}`, "hex").slice(0, 24) };
}

/** The draft has no number: its runs have 0. */
function readVersion({ input, account }: Simulating): Journey {
  const composition = compositionSchema.parse(JSON.parse(input.composition));
  const { orchestration, version } = input;
  const { timezone } = account.settings;
  return { orchestration, version: version === "draft" ? 0 : version, composition, isEnabled: true, timezone };
}

/** Reads what the simulation goes by. @throws HeadwaterError 422 `INVALID_AUDIENCE_RULES` when its criteria name what is gone. */
async function readRules(work: Simulating, ports: JobPorts): Promise<SliceRules> {
  const { account, input } = work;
  const journey = readVersion(work);
  const { composition } = journey;
  const { postgres, clickhouse: clickHouse } = ports;
  const used = criteriaOf(composition, input.lists);
  const everybody = { and: [] };
  const { audience } = composition.trigger;
  const entering = audience === undefined ? undefined : { audience };
  const { context } = await readNames([...used.values(), everybody, ...(entering ? [entering] : [])], account, {
    postgres,
    clickHouse,
  });
  const parse = (criteria: unknown): CriteriaNode => {
    const parsed = parseCriteria(criteria, context);
    if (parsed.kind === "ok") return parsed.criteria;
    const details = parsed.errors;
    const publicMessage = "Criteria of the version name what does not exist any more.";
    throw new HeadwaterError({ code: "INVALID_AUDIENCE_RULES", status: 422, publicMessage, details });
  };
  const criteria = new Map([...used].map(([pointer, one]) => [pointer, parse(one)]));
  const keys = [...new Set([...templatesOf(composition.actions), ...messagesOf(composition)])];
  const templates = await readPublishedTemplates(postgres, account.number, keys);
  const facts = new Map(
    templates.map((one): [string, TemplateFacts] => {
      const { classification } = readSendSettings(one.settings);
      return [one.key, { channel: one.channel, classification }];
    }),
  );
  const stretch: Stretch = {
    ...{ account: account.number, journey, fromMs: input.from, toMs: input.to, basis: input.basis },
    ...{ share: input.samplePercent / 100, seed: input.seed, lists: input.lists },
    audience: entering && parse(entering),
    templates: new Map(templates.map(({ mdtId, key }) => [mdtId, key])),
    currency: account.settings.currency,
  };
  const { rates, webhook } = input.assume;
  const assume = { rates: new Map(Object.entries(rates)), webhook };
  const rules = { journey, toMs: input.to, seed: input.seed, assume, templates: new Set(facts.keys()) };
  return { stretch, rules, answers: { account, criteria, everybody: parse(everybody), templates: facts } };
}

/** Returns the criteria of a version by their pointers, with the lists that were meant when it was published. */
function criteriaOf(composition: Composition, lists: Readonly<Record<string, number>>): Map<string, unknown> {
  const used = [
    ...criteriaOfEntry(composition),
    ...criteriaOfExits(composition),
    ...composition.actions.flatMap((node, index) => criteriaOfNode(node, index)),
  ];
  const meant = (list: string | number) => (typeof list === "string" ? lists[list] : undefined);
  return new Map(used.map(({ pointer, criteria }) => [pointer, withLists(criteria, meant)]));
}

/** Returns the templates whose messages conditions are about. */
function messagesOf({ exit, goals, actions }: Composition): string[] {
  const waits = actions.flatMap((node) => (node.type === "wait" ? node.config.any : []));
  return [...exit, ...goals, ...waits].flatMap(({ message }) => (message === undefined ? [] : [message.key]));
}

function dayOf(atMs: number, timezone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone).toPlainDate().toString();
}
