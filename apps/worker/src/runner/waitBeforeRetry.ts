import { setTimeout as sleep } from "node:timers/promises";

const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/** Longer with each failure; ends early when the signal fires. */
export async function waitBeforeRetry(failures: number, signal: AbortSignal): Promise<void> {
  const waitMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}
