import { setTimeout as sleep } from "node:timers/promises";

export interface BackOff {
  /** Upper bound of the first wait; it doubles with every attempt. */
  readonly minMs: number;
  /** Upper bound of every wait. */
  readonly maxMs: number;
  /** 0 to below 1; default Math.random. */
  readonly random?: (() => number) | undefined;
  /**
   * `full` spreads waits over 0 to the bound, so that many processes do not come back in step. `equal` spreads them over the upper half,
   * for what must not be asked again at once. Default `full`.
   */
  readonly jitter?: "full" | "equal";
}

const DOUBLINGS_MAX = 30;

/** Returns the wait before the next attempt, in whole milliseconds, after so many failed ones (from 1). */
export function backOffMs(failures: number, { minMs, maxMs, random = Math.random, jitter = "full" }: BackOff): number {
  const doublings = Math.min(Math.max(failures - 1, 0), DOUBLINGS_MAX);
  const boundMs = Math.min(maxMs, minMs * 2 ** doublings);
  return Math.floor(jitter === "full" ? random() * boundMs : boundMs / 2 + (random() * boundMs) / 2);
}

/** Resolves after `ms`. @throws the signal's reason when it fires first. */
export async function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** Resolves after `ms`, or when the signal fires or has fired. The listener goes with the wait, for the signal may be as old as the process. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
