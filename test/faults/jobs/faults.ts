import { setTimeout as sleep } from "node:timers/promises";
import type { SupervisedProcess } from "../../../infra/src/index.ts";
import type { Random } from "../harness/random.ts";
import { until } from "../harness/until.ts";
import type { StorageFault } from "./brittleStorage.ts";
import { ageHeartbeats } from "./jobQueue.ts";
import type { JobsGround } from "./world.ts";

const kills = ["worker", "service", "clickhouse", "postgres", "kafka", "storage"] as const;
const storageFaults = [
  "hangs",
  "answers 500",
  "drops the last part",
  "loses the answer of a finished file",
  "refuses the manifest",
] as const satisfies readonly StorageFault[];

export const jobFaults = [
  ...kills.map((name) => `kill ${name}` as const),
  ...storageFaults.map((name) => `storage ${name}` as const),
  "kill service at the request",
  "worker sleeps",
  "worker wakes beside another",
  "two workers",
] as const;
export type JobFault = (typeof jobFaults)[number];

/** Requests that fail, so that some try after try fails, and all is well before the hour is over. */
const TIMES: Readonly<Record<StorageFault, number>> = {
  hangs: 2,
  "answers 500": 7,
  "drops the last part": 4,
  "loses the answer of a finished file": 2,
  "refuses the manifest": 2,
};

const TAKEN_TIMEOUT_MS = 180_000;

/** Faults that only show while files are written: they come before. */
export function isOfStorage(fault: JobFault): boolean {
  return fault.startsWith("storage ");
}

/** Commits a fault. @returns what ends it when the jobs are over. */
export async function commitJobFault(
  fault: JobFault,
  { ground, apps, outside, brittle }: JobsGround,
  random: Random,
): Promise<() => Promise<void>> {
  const { kafka, postgres, clickhouse } = ground.services.services;
  const killed = async (process: SupervisedProcess | undefined) => {
    if (process === undefined) throw new Error("a service to be killed was not started here");
    process.kill("SIGKILL");
    await process.ready();
    return nothing;
  };
  const storageFails = (storageFault: StorageFault) => async () => {
    brittle.fail(storageFault, TIMES[storageFault]);
    return async () => {
      if (brittle.failed() === 0) throw new Error(`no request met a storage that ${storageFault}`);
      brittle.heal();
    };
  };
  const faults: Readonly<Record<JobFault, () => Promise<() => Promise<void>>>> = {
    "kill worker": async () => {
      apps.worker().kill("SIGKILL");
      await ageHeartbeats(ground.postgres);
      await apps.worker().ready();
      return nothing;
    },
    "kill service": () => killed(apps.service()),
    "kill clickhouse": () => killed(clickhouse),
    "kill postgres": () => killed(postgres),
    "kill kafka": () => killed(kafka),
    "kill storage": async () => {
      await outside.kill();
      await sleep(random.between(0, 3_000));
      await outside.start();
      return nothing;
    },
    "storage hangs": storageFails("hangs"),
    "storage answers 500": storageFails("answers 500"),
    "storage drops the last part": storageFails("drops the last part"),
    "storage loses the answer of a finished file": storageFails("loses the answer of a finished file"),
    "storage refuses the manifest": storageFails("refuses the manifest"),
    "kill service at the request": async () => nothing,
    "worker sleeps": async () => {
      const [sleeper, other] = [apps.worker(), apps.worker(1)];
      sleeper.kill("SIGSTOP");
      await other.start();
      return async () => {
        sleeper.kill("SIGCONT");
        // It does what it had begun, before it checks whether that is still its own.
        await sleep(random.between(1_500, 3_000));
        await other.stop();
      };
    },
    "worker wakes beside another": async () => {
      const [sleeper, other] = [apps.worker(), apps.worker(1)];
      sleeper.kill("SIGSTOP");
      const before = await attemptsOf(ground.postgres);
      await other.start();
      const isTaken = async () => ((await attemptsOf(ground.postgres)) > before ? undefined : "nobody took a job");
      // In the background: the gates open meanwhile, and the other one works.
      const woken = until(isTaken, { timeoutMs: TAKEN_TIMEOUT_MS, everyMs: 20 }).finally(() => sleeper.kill("SIGCONT"));
      woken.catch(() => undefined);
      return async () => {
        await woken;
        await other.stop();
      };
    },
    "two workers": async () => {
      const [first, other] = [apps.worker(), apps.worker(1)];
      await other.start();
      first.kill("SIGKILL");
      await first.ready();
      return () => other.stop();
    },
  };
  return faults[fault]();
}

/** Sums the attempts at all jobs. */
async function attemptsOf(postgres: JobsGround["ground"]["postgres"]): Promise<number> {
  const [row] = await postgres.query<{ attempts: number }>({ text: "SELECT sum(attempt)::int AS attempts FROM jobs" });
  return row?.attempts ?? 0;
}

async function nothing(): Promise<void> {
  // A process that was killed is up again by then.
}
