import { createWorkLoop, type Logger, type WorkLoop } from "@headwater/kernel";
import { answerEntries } from "./answerEntries.ts";
import { type AnswerPorts, answerQuestions } from "./answerQuestions.ts";
import { moveAfterSends, moveDueRuns, startIdleCarts } from "./moveRuns.ts";
import { createTasks } from "./performTasks.ts";
import { readOldestDue } from "./postgres.ts";
import type { ProgressWatch } from "./progress.ts";
import { addUpCounts, countRuns } from "./runCounts.ts";
import type { RunMetrics } from "./runMetrics.ts";
import { startFromAudiences } from "./startFromAudiences.ts";
import { startFromClears } from "./startFromClears.ts";
import { sweepRuns } from "./sweepRuns.ts";
import type { TaskPorts } from "./taskContext.ts";

const IDLE_MS = 100;
/** Batches that are under way at a time: while the statements of one wait for Postgres, another one is decided. */
const TIMERS_AT_ONCE = 2;
const PROGRESS_EVERY_MS = 100;
const AUDIENCES_EVERY_MS = 1_000;
const COUNT_EVERY_MS = 60_000;
const ADD_UP_EVERY_MS = 5_000;
const AGES_EVERY_MS = 15_000;
const RETRY = { minMs: 100, maxMs: 5_000 } as const;

export interface EnginePorts extends AnswerPorts, TaskPorts {
  readonly progress: ProgressWatch;
  readonly metrics: RunMetrics;
  readonly logger: Logger;
}

/** Moves runs that are due or whose effects have ended. Any number of engines share the work: none waits for another's rows. */
export interface Engine {
  start(): void;
  /** Transactions that are under way come to their end. */
  stop(): Promise<void>;
}

export function createEngine(input: EnginePorts): Engine {
  const { progress, logger } = input;
  const onBroken: EnginePorts["onBroken"] = ({ account, id }, err) =>
    logger.error({ err, account, run: id }, "a run cannot be stepped and has failed");
  const ports = { ...input, onBroken };
  const loop = (what: string, work: () => Promise<boolean>, idleMs = IDLE_MS): WorkLoop =>
    createWorkLoop({
      ...{ work, idleMs, ...RETRY },
      onRetry: ({ error, attempt }) => logger.warn({ err: error, attempt, what }, "moving runs failed, retrying"),
    });
  const tasks = createTasks(ports);
  const loops = [
    loop("progress", () => progress.refresh().then(() => false), PROGRESS_EVERY_MS),
    ...Array.from({ length: TIMERS_AT_ONCE }, () =>
      loop("timers", async () => (await moveDueRuns(ports, progress.current().facts)) > 0),
    ),
    loop("carts", async () => (await startIdleCarts(ports, progress.current().facts)) > 0),
    loop("sends", async () => (await moveAfterSends(ports)) > 0),
    loop("questions", async () => (await answerQuestions(ports, progress.current().stores)) > 0),
    loop("entries", async () => (await answerEntries(ports, progress.current().stores)) > 0),
    loop("audiences", () => startFromAudiences(ports, progress.current().stores), AUDIENCES_EVERY_MS),
    loop("tasks", tasks.performOnce),
    loop("sweeps", () => sweepRuns(ports)),
    loop("clears", () => startFromClears(ports)),
    loop("changes of counts", () => addUpCounts(ports.postgres), ADD_UP_EVERY_MS),
    loop("counts", () => showCounts(ports), COUNT_EVERY_MS),
    loop("ages", () => showAges(ports), AGES_EVERY_MS),
  ];
  return {
    start: () => loops.forEach((one) => void one.start()),
    async stop() {
      await Promise.all(loops.map((one) => one.stop()));
      await tasks.idle();
    },
  };
}

async function showCounts({ postgres, metrics }: EnginePorts): Promise<false> {
  metrics.showRuns(await countRuns(postgres));
  return false;
}

async function showAges({ postgres, metrics, progress, clock }: EnginePorts): Promise<false> {
  const nowMs = clock.nowMs();
  metrics.showOldestDue(await readOldestDue(postgres), nowMs);
  metrics.showBehind(progress.current().facts, nowMs);
  return false;
}
