import type { StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Transaction } from "@headwater/postgres/connection/session";
import { lockContactNumbers } from "@headwater/records/contacts/contacts";
import { readSendSettings } from "../../frozen/freezeTemplate.ts";
import { usualOnUnknown } from "../../frozen/frozenMessage.ts";
import { countOpenSendsOfRun, insertRunSends, takeRunChunks } from "../../triggers/runSends.ts";
import { endTemplateRun, type TemplateRun } from "../../triggers/templateRuns.ts";
import type { TemplateFacts } from "../templates.ts";
import type { RunProgress } from "./progress.ts";

/** Sends of a run that have not ended, at most, before more are made. */
const OPEN_MAX = 10_000;
/** Chunks of a step: the rows of their contacts are locked. */
const CHUNKS_AT_ONCE = 2;
const LOOK_SECONDS = 1;

interface WantStep {
  readonly run: TemplateRun;
  readonly template: TemplateFacts;
  readonly progress: Extract<RunProgress, { readonly phase: "wants" }>;
  readonly nowMs: number;
}

/** Makes wanted sends of the next contacts, and ends the run with its last one. */
export async function wantSends(transaction: Transaction, step: WantStep): Promise<StepEnd<RunProgress>> {
  const { run, progress, nowMs } = step;
  if ((await countOpenSendsOfRun(transaction, { ...run, countMax: OPEN_MAX })) === OPEN_MAX) {
    return { kind: "wait", progress, seconds: LOOK_SECONDS, givesWay: true, isThrottled: true };
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
  { run, template, nowMs }: WantStep,
  contacts: readonly number[],
): Promise<number> {
  const { account, id, message } = run;
  const keysOf = (numbers: readonly number[]) => [...new Set(numbers)].map((number) => ({ account, number }));
  const rows = await lockContactNumbers(transaction, keysOf(contacts));
  const survivors = rows.flatMap(({ mergedInto }) => mergedInto ?? []);
  if (survivors.length > 0) await lockContactNumbers(transaction, keysOf(survivors));
  const live = [...new Set(rows.map(({ number, mergedInto }) => mergedInto ?? number))];
  const { classification, priority, onUnknown } = readSendSettings(template.settings);
  const resendsLeft = (onUnknown ?? usualOnUnknown(classification)) === "resend" ? 1 : 0;
  const how = { channel: template.channel, classification, priority, resendsLeft };
  return insertRunSends(transaction, { account, id, message, template: template.key, contacts: live, ...how }, nowMs);
}
