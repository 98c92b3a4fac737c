/*
 * Thread that ends its process: past the deadline of its task, past its memory, and without its parent. A loop that stands still cannot hold
 * it, and neither can native code. SIGKILL to the parent leaves children behind that would otherwise work for ever.
 */
import { parentPort, workerData } from "node:worker_threads";
import { DEADLINE_SIGNAL, MEMORY_SIGNAL } from "./protocol.ts";
import { AT_HOST, CPU, cpuMs, DEADLINE, monotonicMs, NO_TASK, WAKE, type WatchdogData } from "./watchdogState.ts";

const WORKING_MS = 20;
const IDLE_MS = 1_000;

const { words, times, memoryBytesMax }: WatchdogData = workerData;
const parent = process.ppid;
const residentBytesMax = process.memoryUsage.rss() + memoryBytesMax;
parentPort?.postMessage("watching");

function isPast(deadline: bigint): boolean {
  return deadline !== AT_HOST && monotonicMs() > deadline;
}

for (;;) {
  Atomics.wait(words, WAKE, 0, Atomics.load(times, DEADLINE) <= NO_TASK ? IDLE_MS : WORKING_MS);
  Atomics.store(words, WAKE, 0);
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  const deadline = Atomics.load(times, DEADLINE);
  const isLate = deadline !== NO_TASK && (isPast(deadline) || cpuMs() > Atomics.load(times, CPU));
  if (isLate) process.kill(process.pid, DEADLINE_SIGNAL);
  if (process.memoryUsage.rss() > residentBytesMax) process.kill(process.pid, MEMORY_SIGNAL);
}
