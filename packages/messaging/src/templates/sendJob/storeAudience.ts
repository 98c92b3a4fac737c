import type { Account } from "@headwater/contracts";
import type { StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Transaction } from "@headwater/postgres/connection/session";
import { takeStreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { insertChunks } from "../../batchMessages/sendChunks.ts";
import { cutChunks } from "../../batchMessages/sendJob/cutChunks.ts";
import { readSendSettings } from "../../frozen/freezeTemplate.ts";
import { deleteRunChunks, endTemplateRun, type TemplateRun } from "../../triggers/templateRuns.ts";
import type { TemplateFacts } from "../templates.ts";
import type { SeenAudience } from "./lookAtAudience.ts";
import type { RunProgress } from "./progress.ts";

/** A run that waits for ClickHouse is looked at again so soon. */
const LOOK_AGAIN_SECONDS = 1;

interface RunStep {
  readonly run: TemplateRun;
  readonly template: TemplateFacts;
  readonly account: Account;
  readonly seen: SeenAudience;
  readonly progress: Exclude<RunProgress, { readonly phase: "wants" }> | undefined;
  readonly nowMs: number;
}

/** Stores the part of the audience that was read, in chunks under the run's id. */
export async function storeAudience(transaction: Transaction, step: RunStep): Promise<StepEnd<RunProgress>> {
  const { run, template, account, seen, progress, nowMs } = step;
  if (seen.kind === "behind") {
    const behind = { phase: "behind", marks: seen.marks } as const;
    return { kind: "wait", progress: behind, seconds: LOOK_AGAIN_SECONDS, isThrottled: true };
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
