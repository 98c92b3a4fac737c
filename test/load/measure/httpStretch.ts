import type { App } from "../processes/app.ts";
import type { Worker } from "../processes/worker.ts";
import { type HttpLoadTask, httpLoadResult } from "../tasks/httpLoadTask.ts";
import { cpuSecondsOf } from "./processUsage.ts";
import type { Stretch } from "./tally.ts";

const ACCEPTED = 202;

/** Loads a server for one stretch. Every answer must be 202: a limit that refuses is none. */
export async function httpStretch(
  load: Worker,
  server: Pick<App, "pid" | "port">,
  task: Omit<HttpLoadTask, "port">,
): Promise<Stretch> {
  const cpuBefore = cpuSecondsOf(server.pid);
  const result = await load.run({ ...task, port: server.port }, httpLoadResult);
  const accepted = result.statuses.get(ACCEPTED) ?? 0;
  const others = [...result.statuses].filter(([status]) => status !== ACCEPTED);
  if (others.length > 0 || result.broken > 0 || accepted === 0) {
    throw new Error(`answers ${JSON.stringify([...result.statuses])}, ${result.broken} connections broke`);
  }
  return {
    events: accepted * task.series.batch,
    seconds: result.seconds,
    cpuSeconds: cpuSecondsOf(server.pid) - cpuBefore,
    latenciesMs: result.latenciesMs,
    generatorCpuSeconds: result.cpuSeconds,
  };
}
