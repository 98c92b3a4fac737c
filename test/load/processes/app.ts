import { join } from "node:path";
import { BoundedLog, freePort, nodeOptionsOf, SupervisedProcess } from "../../../infra/src/index.ts";
import { cpuSecondsOf, memoryMib, peakMemoryMib } from "../measure/processUsage.ts";
import type { Bench } from "../world/services.ts";

export type AppName = "ingress" | "projector" | "service" | "worker" | "sender" | "tracker" | "automation";
/** They have no clients. */
const UNSERVED: readonly AppName[] = ["projector", "worker", "sender", "automation"];

/** A process of ours while it is measured. */
export interface App {
  /** Port for its clients. */
  readonly port: number;
  readonly pid: number;
  /** Processor time so far, in seconds. */
  cpuSeconds(): number;
  /** MiB in RAM now. */
  memoryMib(): number;
  peakMemoryMib(): number;
  /** Ends it; with profiling its profile is then in `profileFolder`. */
  stop(): Promise<void>;
}

/** Starts apps/<name> of the checkout from its sources and waits until it says that it is ready. */
export async function startApp(bench: Bench, name: AppName, env: Readonly<Record<string, string>>): Promise<App> {
  const [port, operationsPort] = [await freePort(), await freePort()];
  const supervised = new SupervisedProcess({
    name,
    plan: async () => ({
      command: process.execPath,
      args: [...profilingArguments(bench, name), join(bench.checkout.folder, "apps", name, "src", "main.ts")],
      env: {
        ...process.env,
        NODE_OPTIONS: nodeOptionsOf(name),
        LOG_LEVEL: "warn",
        ...env,
        HEADWATER_PORT: String(port),
        HEADWATER_OPERATIONS_PORT: String(operationsPort),
      },
      cwd: bench.checkout.folder,
    }),
    isReady: async (signal) => {
      if (!(await fetch(`http://127.0.0.1:${operationsPort}/ready`, { signal })).ok) return false;
      // Its stores may be there before it listens: whatever it answers, it does.
      return UNSERVED.includes(name) || (await fetch(`http://127.0.0.1:${port}/`, { signal })).status > 0;
    },
    log: new BoundedLog(join(bench.folder, `${name}.log`)),
    guard: bench.guard,
    autoRestart: false,
  });
  await supervised.start();
  const pid = supervised.pid();
  if (pid === undefined) throw new Error(`${name} ended as soon as it was ready`);
  return {
    port,
    pid,
    cpuSeconds: () => cpuSecondsOf(pid),
    memoryMib: () => memoryMib(pid),
    peakMemoryMib: () => peakMemoryMib(pid),
    stop: () => supervised.stop(),
  };
}

/** Returns the folder for an app's profiles, written when it ends. */
export function profileFolder({ folder }: Pick<Bench, "folder">, name: AppName): string {
  return join(folder, "profiles", name);
}

function profilingArguments(bench: Bench, name: AppName): string[] {
  return bench.isProfiling ? ["--cpu-prof", "--cpu-prof-dir", profileFolder(bench, name)] : [];
}
