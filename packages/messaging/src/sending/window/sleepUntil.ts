import { pause } from "@headwater/kernel";

/** Resolves at a time of the monotonic clock, or when the signal is aborted. */
export async function sleepUntil(atMs: number, signal: AbortSignal): Promise<void> {
  const waitMs = atMs - performance.now();
  if (waitMs > 0 && !signal.aborted) await pause(waitMs, signal);
}
