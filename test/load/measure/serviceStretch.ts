import type { Worker } from "../processes/worker.ts";
import { type CallsTask, httpLoadResult } from "../tasks/httpLoadTask.ts";
import type { World } from "../world/world.ts";
import { cpuSecondsOf, cpuSecondsWithEnded, parentOf } from "./processUsage.ts";
import type { Stretch } from "./tally.ts";

/** A process that answers calls from Postgres, which works on its behalf. */
export interface Served {
  readonly pid: number;
  readonly port: number;
  /** Undefined for one that asks no database. */
  readonly postgresPid?: number | undefined;
}

/** The process that all connections of Postgres descend from. */
export async function postgresPidOf({ postgres }: World): Promise<number> {
  const [row] = await postgres.query<{ pid: number }>({ text: "SELECT pg_backend_pid() AS pid" });
  if (row === undefined) throw new Error("a connection has a process");
  return parentOf(row.pid);
}

/** Loads a server for one stretch; the processor time of Postgres is counted with its own. Every answer must have the status. */
export async function serviceStretch(load: Worker, served: Served, task: Omit<CallsTask, "port">): Promise<Stretch> {
  const before = usage(served);
  const result = await load.run({ ...task, port: served.port }, httpLoadResult);
  const after = usage(served);
  const answered = result.statuses.get(task.calls.status) ?? 0;
  if (result.statuses.size !== 1 || result.broken > 0 || answered === 0) {
    throw new Error(`answers ${JSON.stringify([...result.statuses])}, ${result.broken} connections broke`);
  }
  const storeCpuSeconds = after.store - before.store;
  return {
    events: answered,
    seconds: result.seconds,
    cpuSeconds: after.own - before.own + storeCpuSeconds,
    storeCpuSeconds,
    latenciesMs: result.latenciesMs,
    generatorCpuSeconds: result.cpuSeconds,
  };
}

function usage({ pid, postgresPid }: Served) {
  return { own: cpuSecondsOf(pid), store: postgresPid === undefined ? 0 : cpuSecondsWithEnded(postgresPid) };
}
