import { createLeftoverRemoval } from "@headwater/analytics/exports/leftovers";
import { dropOrphanTables } from "@headwater/analytics/exports/orphanTables";
import { moveCallCounts } from "@headwater/api/accountLog/callCounts";
import { sealKeysOf } from "@headwater/api/accountLog/seal";
import { createDataJobUpkeep } from "@headwater/automation/dataJobs/recurringRuns";
import { createNotices } from "@headwater/jobs/notices/deliverNotices";
import { createMailer } from "@headwater/jobs/notices/mailer";
import type { RunnerOptions } from "@headwater/jobs/runner/runnerOptions";
import { type Clock, createHousekeeping, createWorkLoop, type Part, type WorkLoop } from "@headwater/kernel";
import { createMessageUpkeep } from "@headwater/messaging/jobs/messageUpkeep";
import { createRecurringUpkeep } from "@headwater/messaging/jobs/recurringRuns";
import { createExperimentUpkeep } from "@headwater/messaging/jobs/templateExperiments";
import { deleteIdlePace } from "@headwater/messaging/pace/pace";
import type { StoreClock } from "@headwater/postgres/connection/storeClock";
import { stepSupplementIndexes } from "@headwater/records/writes/supplementIndexes";
import type { WorkerConfig } from "./config.ts";
import { deleteOldJobs } from "./housekeeping.ts";
import { createLogSealing } from "./sealLog.ts";

export interface UpkeepPorts {
  /** Its clock is that of Postgres: messages, ticks and notices are due by it. */
  readonly runner: RunnerOptions & { readonly clock: StoreClock };
  /** The clock of this process. */
  readonly clock: Clock;
  readonly config: WorkerConfig;
  /** Keys of `HEADWATER_SETTINGS_KEY_FILE`. */
  readonly settingsKeys: readonly Buffer[] | undefined;
}

/** Returns what a worker does besides jobs, by name; any number of workers share it. */
export function createUpkeep({ runner, clock, config, settingsKeys }: UpkeepPorts): Readonly<Record<string, Part>> {
  const { postgres, logger } = runner;
  const { HEADWATER_SMTP_URL: url, HEADWATER_SMTP_FROM: from } = config;
  const sendMail = url === undefined ? undefined : createMailer({ url, from });
  const deleteOld = async (nowMs: number) => {
    await deleteOldJobs(runner, nowMs);
    await dropOrphanTables(runner);
    await deleteIdlePace(postgres);
  };
  return {
    housekeeping: createHousekeeping({ what: "old jobs", deleteOld, clock, logger }),
    "counts of calls": createCallCountMover({ postgres, logger, clock }),
    "seals of the account log": createLogSealing({ postgres, keys: sealKeysOf(settingsKeys), clock, logger }),
    "supplement indexes": createIndexUpkeep({ postgres, logger }),
    "due messages": createMessageUpkeep(runner),
    "recurring triggers": createRecurringUpkeep(runner),
    "ticks of data jobs": createDataJobUpkeep(runner),
    "experiments of templates": createExperimentUpkeep(runner),
    notices: createNotices({ ...runner, sendMail }),
    leftovers: createLeftoverRemoval(runner),
  };
}

type StoreAndLogger = Pick<RunnerOptions, "postgres" | "logger">;

const MINUTE_MS = 60_000;
/** Every process writes the counts of a minute when it is over; by then they have, and what comes later gets an entry of its own. */
const COUNTED_AFTER_MS = 15_000;
const COUNTS_EVERY_MS = 10_000;

/** Writes the calls that processes have counted to the logs of their accounts. */
function createCallCountMover({ postgres, logger, clock }: StoreAndLogger & { readonly clock: Clock }): WorkLoop {
  return createWorkLoop({
    work: () => moveCallCounts(postgres, Math.floor((clock.nowMs() - COUNTED_AFTER_MS) / MINUTE_MS)),
    idleMs: COUNTS_EVERY_MS,
    minMs: 1_000,
    maxMs: 60_000,
    onRetry: ({ error }) => logger.warn({ err: error }, "moving the counts of calls failed, retrying"),
  });
}

/** Time until work on an index begins, at most. */
const INDEXES_EVERY_MS = 1_000;

/** Builds indexes of supplement tables and removes the entries of those that are gone, step by step. */
function createIndexUpkeep({ postgres, logger }: StoreAndLogger): WorkLoop {
  return createWorkLoop({
    work: () => stepSupplementIndexes(postgres),
    idleMs: INDEXES_EVERY_MS,
    minMs: 100,
    maxMs: 5_000,
    onRetry: ({ error }) => logger.warn({ err: error }, "supplement index maintenance failed, retrying"),
  });
}
