import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { toTimestamp } from "@headwater/contracts";
import { startJob } from "@headwater/jobs/queue/startJob";
import { createWorkLoop, HeadwaterError, type WorkLoop, wantIdOf } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { childMessage } from "../batchMessages/childMessage.ts";
import { readSendSettings } from "../frozen/freezeTemplate.ts";
import { latestTick, nextTick } from "../schedule/cron.ts";
import { noteTemplateChild } from "../templates/templateChildren.ts";
import { readTemplatesById } from "../templates/templates.ts";
import {
  dueRecurringTriggers,
  lockDueTrigger,
  moveRecurringTrigger,
  type RecurringTrigger,
} from "../triggers/recurringTriggers.ts";
import { countOpenSendsOfRuns } from "../triggers/runSends.ts";
import { endTemplateRun, hasRunSince, insertTemplateRun, readLostRuns } from "../triggers/templateRuns.ts";
import type { MessagePorts, MessageUpkeepOptions } from "./messageUpkeep.ts";

const CHECK_EVERY_MS = 1_000;
const TRIGGERS_AT_ONCE = 20;
const RUNS_AT_ONCE = 20;
/** Sends of a template's runs that have not ended, at most, before another run begins. */
const OPEN_MAX = 10_000;
/** Longer than any send is tried. */
const OPEN_CHECKED_MS = 4 * 86_400_000;
/** Time after which a tick that found no space is checked again. */
const LATER_MS = 60_000;

/** The part of the worker that begins the runs of recurring triggers when their ticks have come. */
export function createRecurringUpkeep({ logger, ...ports }: MessageUpkeepOptions): WorkLoop {
  return createWorkLoop({
    work: async () => {
      await ports.clock.refresh();
      return stepRecurring(ports);
    },
    idleMs: CHECK_EVERY_MS,
    minMs: 200,
    maxMs: 10_000,
    onRetry: ({ error }) => logger.warn({ err: error }, "starting recurring runs failed, retrying"),
  });
}

/** Begins the runs of recurring triggers, and ends those whose job has failed. Any number of workers share it. @returns whether there may be more. */
export async function stepRecurring(ports: MessagePorts): Promise<boolean> {
  const { postgres, clock } = ports;
  const lost = await readLostRuns(postgres, RUNS_AT_ONCE);
  for (const run of lost) {
    await postgres.transaction((transaction) => endTemplateRun(transaction, run, clock.nowMs()));
  }
  const due = await dueRecurringTriggers(postgres, clock.nowMs(), TRIGGERS_AT_ONCE);
  for (const key of due) {
    const begin = () =>
      postgres.transaction((transaction) => beginRun(transaction, { key, nowMs: clock.nowMs() }, ports));
    await begin().catch((error: unknown) => {
      if (!isOverShare(error)) throw error;
      return postgres.transaction((transaction) => moveRecurringTrigger(transaction, key, clock.nowMs() + LATER_MS));
    });
  }
  return lost.length + due.length > 0;
}

/** Returns whether the account has as many jobs waiting as it may. */
function isOverShare(error: unknown): boolean {
  return error instanceof HeadwaterError && error.status === 429;
}

interface Tick {
  readonly key: Pick<RecurringTrigger, "account" | "mdtId">;
  readonly nowMs: number;
}

/**
 * Stores the run of the latest tick, its job and the next tick in one transaction. The trigger's row is locked, so of any number of workers
 * one begins the run; ticks before the latest one have none.
 */
async function beginRun(transaction: Transaction, { key, nowMs }: Tick, { queue }: MessagePorts): Promise<void> {
  const trigger = await lockDueTrigger(transaction, key, nowMs);
  if (trigger === undefined) return;
  const { account: number, mdtId } = trigger;
  const account = await findAccountByNumber(transaction, number);
  const [template] = await readTemplatesById(transaction, number, [mdtId]);
  if (account === undefined || template === undefined) return moveRecurringTrigger(transaction, key, null);
  const since = nowMs - OPEN_CHECKED_MS;
  if ((await countOpenSendsOfRuns(transaction, { ...key, since, countMax: OPEN_MAX })) === OPEN_MAX) {
    return moveRecurringTrigger(transaction, key, nowMs + LATER_MS);
  }
  const tickAt = latestTick(trigger, nowMs);
  await moveRecurringTrigger(transaction, key, nextTick(trigger, nowMs) ?? null);
  if (tickAt === undefined || (await hasRunSince(transaction, key, tickAt))) return;
  const { baseAggregation: aggregation } = readSendSettings(template.settings);
  const { id: message, endsAt } = childMessage({ mdtId, aggregation, timezone: account.settings.timezone }, nowMs);
  await noteTemplateChild(transaction, { account: number, id: message, mdtId, createdAt: nowMs, endsAt });
  const id = wantIdOf("tick", number, mdtId, tickAt);
  const job = await startJob(transaction, queue, {
    ...({ account: number, jobName: "SendAutomationTemplate", input: { run: id }, madeBy: mdtId, nowMs } as const),
    metadata: { template: template.key, message, tick: toTimestamp(tickAt) },
  });
  await insertTemplateRun(transaction, { account: number, id, mdtId, tickAt, message, job, startedAt: nowMs });
}
