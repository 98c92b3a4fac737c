import { setTimeout as delay } from "node:timers/promises";
import type { Transaction } from "@headwater/postgres/connection/session";
import { expect, test } from "vitest";
import { OwnTime } from "./postgresStateStore.ts";

const WORK_MS = 150;

/** Keeps the thread at work for some time of its core. */
function work(ms: number): void {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system > ms * 1_000) return;
  }
}

const answer = <Answer>(value: Answer) => delay(5, value);
const transaction: Transaction = {
  inTransaction: true,
  execute: () => answer(0),
  query: () => answer([]),
};
const statement = { text: "SELECT 1" };

/** The next round of the event loop has seen all that waited for an answer. */
const nextRound = () => delay(1);

test("work between two statements counts, however many promises it stands behind", async () => {
  const own = new OwnTime();
  const over = own.over(transaction);
  const deep = async () => over.execute(statement);
  await (async () => {
    await deep();
    await Promise.resolve();
    work(WORK_MS);
  })();
  await nextRound();
  expect(own.longestMs).toBeGreaterThanOrEqual(WORK_MS);
});

test("neither a pause of the process nor other work while Postgres is waited for counts", async () => {
  const own = new OwnTime();
  const over = own.over(transaction);
  const other = delay(2).then(() => work(WORK_MS));
  await over.query(statement);
  // The thread sleeps, as it does when the process is stopped.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WORK_MS);
  await other;
  await nextRound();
  expect(own.longestMs).toBeLessThan(WORK_MS / 2);
});
