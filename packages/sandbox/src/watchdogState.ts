import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { WALL_FACTOR } from "./protocol.ts";

/** Memory that a process shares with its watchdog. */
export interface WatchdogData {
  /** `WAKE`: 1 when the deadline was changed. */
  readonly words: Int32Array;
  /** `DEADLINE`: on the clock of `monotonicMs`, or `NO_TASK` or `AT_HOST`. `CPU`: processor time of the process, on that of `cpuMs`. */
  readonly times: BigInt64Array;
  /** Growth of the resident size above what the process needs for itself. */
  readonly memoryBytesMax: number;
}

export const WAKE = 0;
export const DEADLINE = 0;
export const CPU = 1;
/** No task is under way. */
export const NO_TASK = 0n;
/** The task waits for its host: only its processor time counts. */
export const AT_HOST = -1n;
const NS_PER_MS = 1_000_000n;
const US_PER_MS = 1_000;
const BYTES_PER_TIME = 8;
const BYTES_PER_WORD = 4;

/** Returns milliseconds of a clock that all threads of a machine share. */
export function monotonicMs(): bigint {
  return process.hrtime.bigint() / NS_PER_MS;
}

/** Returns milliseconds of processor time that this process has taken. */
export function cpuMs(): bigint {
  const { user, system } = process.cpuUsage();
  return BigInt(Math.ceil((user + system) / US_PER_MS));
}

export interface Watchdog {
  /** Sets the processor time from now on after which the process ends, and `WALL_FACTOR` times as much on the clock; undefined for none. */
  expectWithin(ms: number | undefined): void;
  /** Stops the clock until the next `expectWithin`: the limit of processor time stays. */
  waitForHost(): void;
}

/** Starts the thread that ends this process; resolves once it watches, so that nothing it needs is mapped later. It keeps no process alive. */
export async function startWatchdog(memoryBytesMax: number): Promise<Watchdog> {
  const words = new Int32Array(new SharedArrayBuffer(BYTES_PER_WORD));
  const times = new BigInt64Array(new SharedArrayBuffer(2 * BYTES_PER_TIME));
  const data: WatchdogData = { words, times, memoryBytesMax };
  const worker = new Worker(new URL("./watchdog.ts", import.meta.url), { workerData: data, env: {}, stdin: false });
  worker.on("error", () => process.abort());
  await once(worker, "message");
  worker.unref();
  return {
    expectWithin(ms) {
      const wasIdle = Atomics.load(times, DEADLINE) <= NO_TASK;
      if (ms !== undefined) Atomics.store(times, CPU, cpuMs() + BigInt(Math.ceil(ms)));
      Atomics.store(times, DEADLINE, ms === undefined ? NO_TASK : monotonicMs() + BigInt(Math.ceil(WALL_FACTOR * ms)));
      if (!wasIdle || ms === undefined) return;
      Atomics.store(words, WAKE, 1);
      Atomics.notify(words, WAKE);
    },
    waitForHost: () => void Atomics.store(times, DEADLINE, AT_HOST),
  };
}
