import { setTimeout as sleep } from "node:timers/promises";

/**
 * Polls until `look` answers undefined: then nothing is missing any more. What it answers instead is what is missing, for
 * the error of a wait that took too long.
 */
export async function until(
  check: () => Promise<string | undefined>,
  { timeoutMs, everyMs = 200 }: { readonly timeoutMs: number; readonly everyMs?: number },
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const missing = await check();
    if (missing === undefined) return;
    if (Date.now() > deadline) throw new Error(`after ${timeoutMs} ms still: ${missing}`);
    await sleep(everyMs);
  }
}
