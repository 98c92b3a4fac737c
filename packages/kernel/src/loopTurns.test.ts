import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { watchLoopTurns } from "./loopTurns.ts";

/** Takes processor time without a pause. */
function work(ms: number): void {
  for (const from = process.threadCpuUsage(); ; ) {
    const { user, system } = process.threadCpuUsage(from);
    if (user + system > ms * 1_000) return;
  }
}

test("the longest turn counts once, and waiting does not count", async () => {
  const takeLongest = watchLoopTurns();
  await sleep(30);
  work(200);
  await sleep(30);
  expect(takeLongest()).toBeGreaterThanOrEqual(0.2);
  // Nothing of this thread runs while it waits.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  await sleep(30);
  expect(takeLongest()).toBeLessThan(0.1);
});
