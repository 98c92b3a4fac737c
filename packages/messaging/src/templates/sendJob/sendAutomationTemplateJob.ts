import type { Account } from "@headwater/contracts";
import { defineJobWithOutside, type StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Transaction } from "@headwater/postgres/connection/session";
import { takeStreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { lockContactNumbers } from "@headwater/records/contacts/contacts";
import { insertChunks } from "../../batchMessages/sendChunks.ts";
import { cutChunks } from "../../batchMessages/sendJob/cutChunks.ts";
import { readSendSettings } from "../../frozen/freezeTemplate.ts";
import { defaultOnUnknown } from "../../frozen/frozenMessage.ts";
import { askEntries } from "../../triggers/entryQuestions.ts";
import { countOpenSendsOfRun, insertRunSends, takeRunChunks } from "../../triggers/runSends.ts";
import { enterTemplate } from "../../triggers/templateEntries.ts";
import { deleteRunChunks, endTemplateRun, lockTemplateRun, type TemplateRun } from "../../triggers/templateRuns.ts";
import { readTemplatesById, type TemplateFacts } from "../templates.ts";
import { readTemplateSettings } from "../templateView.ts";
import { checkAudience, type SeenAudience } from "./checkAudience.ts";
import { type RunProgress, runProgress } from "./progress.ts";

/** Sends of a run that have not ended, at most, before more are made. */
const OPEN_MAX = 10_000;

/** Chunks of a step: the rows of their contacts are locked. */
const CHUNKS_AT_ONCE = 2;

const CHECK_SECONDS = 1;

/** A run that waits for ClickHouse is checked again so soon. */
const CHECK_AGAIN_SECONDS = 1;

/**
 * Sends a template to the audience of its recurring trigger, once for a tick: takes a snapshot of the audience, stores it in chunks, and makes
 * a wanted send of each contact. The run is locked in each step; a kill between two steps loses and repeats nothing.
 */
export const sendAutomationTemplateJob = defineJobWithOutside({
  jobName: "SendAutomationTemplate",
  progress: runProgress,
  outside: checkAudience,
  async step({ account, input, progress, nowMs }, transaction, seen): Promise<StepEnd<RunProgress>> {
    const run = await lockTemplateRun(transaction, { account: account.number, id: input.run });
    if (run === undefined) return { kind: "done" };
    const template = await templateOf(transaction, run);
    if (template === undefined) {
      await endTemplateRun(transaction, run, nowMs);
      return { kind: "done" };
    }
    if (progress?.phase === "wants") return wantSends(transaction, { run, template, account, progress, nowMs });
    return storeAudience(transaction, { run, template, account, seen, progress, nowMs });
  },
});

/** Returns the template of a run; undefined once it was deleted. */
async function templateOf(
  transaction: Transaction,
  { account, mdtId }: TemplateRun,
): Promise<TemplateFacts | undefined> {
  const [template] = await readTemplatesById(transaction, account, [mdtId]);
  return template;
}

interface RunStep {
  readonly run: TemplateRun;
  readonly template: TemplateFacts;
  readonly account: Account;
  readonly seen: SeenAudience;
  readonly progress: Exclude<RunProgress, { readonly phase: "wants" }> | undefined;
  readonly nowMs: number;
}

/** Stores the part of the audience that was read, in chunks under the run's id. */
async function storeAudience(transaction: Transaction, step: RunStep): Promise<StepEnd<RunProgress>> {
  const { run, template, account, seen, progress, nowMs } = step;
  if (seen.kind === "behind") {
    const behind = { phase: "behind", marks: seen.marks } as const;
    return { kind: "wait", progress: behind, seconds: CHECK_AGAIN_SECONDS, isThrottled: true };
  }
  if (seen.kind === "lost") {
    await deleteRunChunks(transaction, run);
    return { kind: "more", progress: { phase: "behind", marks: await takeStreamWatermark(transaction) } };
  }
  if (seen.kind === "filled") {
    return {
      kind: "more",
      progress: { phase: "chunks", table: seen.table, next: 0, after: null, contacts: 0 },
    };
  }
  if (seen.kind === "nothing" || progress?.phase !== "chunks") {
    await endTemplateRun(transaction, run, nowMs);
    return { kind: "done" };
  }
  const schedule = { scheduleAt: nowMs, timezone: account.settings.timezone };
  const cutting = { first: progress.next, zones: undefined, schedule, waiting: new Set<number>(), nowMs };
  const chunks = cutChunks(seen.contacts, cutting);
  const { priority } = readSendSettings(template.settings);
  await insertChunks(transaction, { account: run.account, id: run.id, priority }, chunks);
  const contacts = progress.contacts + seen.contacts.length;
  if (seen.isLast) {
    return { kind: "more", progress: { phase: "wants", contacts, taken: 0, wanted: 0 }, totalItems: contacts };
  }
  const after = seen.last ?? progress.after;
  return { kind: "more", progress: { ...progress, next: progress.next + chunks.length, after, contacts } };
}

interface WantStep {
  readonly run: TemplateRun;
  readonly template: TemplateFacts;
  readonly account: Account;
  readonly progress: Extract<RunProgress, { readonly phase: "wants" }>;
  readonly nowMs: number;
}

/** Makes wanted sends of the next contacts, and ends the run with its last one. */
async function wantSends(transaction: Transaction, step: WantStep): Promise<StepEnd<RunProgress>> {
  const { run, progress, nowMs } = step;
  if ((await countOpenSendsOfRun(transaction, { ...run, countMax: OPEN_MAX })) === OPEN_MAX) {
    return { kind: "wait", progress, seconds: CHECK_SECONDS, givesWay: true, isThrottled: true };
  }
  const contacts = await takeRunChunks(transaction, { ...run, chunksMax: CHUNKS_AT_ONCE });
  const wanted = progress.wanted + (await sendTo(transaction, step, contacts));
  const taken = progress.taken + contacts.length;
  const result = { totalRecords: progress.contacts, updated: wanted, ignored: taken - wanted };
  const report = { completedItems: taken, result };
  if (contacts.length > 0) return { kind: "more", progress: { ...progress, taken, wanted }, ...report };
  await endTemplateRun(transaction, run, nowMs);
  return { kind: "done", ...report };
}

/** Stores a send for each live contact; those that are locked get no other send of the message meanwhile. */
async function sendTo(
  transaction: Transaction,
  { run, template, account: of, nowMs }: WantStep,
  contacts: readonly number[],
): Promise<number> {
  const { account, id, message } = run;
  const keysOf = (numbers: readonly number[]) => [...new Set(numbers)].map((number) => ({ account, number }));
  const rows = await lockContactNumbers(transaction, keysOf(contacts));
  const survivors = rows.flatMap(({ mergedInto }) => mergedInto ?? []);
  if (survivors.length > 0) await lockContactNumbers(transaction, keysOf(survivors));
  const live = [...new Set(rows.map(({ number, mergedInto }) => mergedInto ?? number))];
  // A tick has no activity, and so no key.
  const entering = live.map((contact) => ({ contact, key: "", want: id }));
  const { entry } = readTemplateSettings(template);
  const refusals = await enterTemplate(transaction, { account: of, template, entry, nowMs }, entering);
  const entered = live.filter((_, index) => refusals[index] === undefined);
  const { classification, priority, onUnknown } = readSendSettings(template.settings);
  const resendsLeft = (onUnknown ?? defaultOnUnknown(classification)) === "resend" ? 1 : 0;
  const how = { channel: template.channel, classification, priority, resendsLeft };
  const sends = { account, id, message, template: template.key, contacts: entered, ...how };
  const stored = await insertRunSends(transaction, sends, nowMs);
  const asked = entering.filter((_, index) => refusals[index] === undefined);
  await askEntries(transaction, { template, entry, nowMs }, asked);
  return stored;
}
