import { expect, test } from "vitest";
import { createWorkLoop } from "./workLoop.ts";

const retry = { minMs: 0, maxMs: 1 };

test("a work loop goes on while there is work, waits when there is none, and looks again", async () => {
  const answers = [true, true, false, true, false];
  let calls = 0;
  const work = async () => answers[calls++] ?? false;
  const loop = createWorkLoop({ work, idleMs: 1, ...retry, onRetry: () => undefined });
  loop.start();
  await expect.poll(() => calls).toBeGreaterThan(answers.length);
  await loop.stop();
});

test("retries what failed, and reports it", async () => {
  const errors: unknown[] = [];
  let calls = 0;
  const work = async () => {
    calls += 1;
    if (calls === 1) throw new Error("away");
    return false;
  };
  const loop = createWorkLoop({ work, idleMs: 60_000, ...retry, onRetry: ({ error }) => errors.push(error) });
  loop.start();
  await expect.poll(() => calls).toBe(2);
  await loop.stop();
  expect(errors).toEqual([new Error("away")]);
});

test("a stop waits for the piece of work that is under way, and ends a wait", async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let isOver = false;
  const work = () => promise;
  const loop = createWorkLoop({ work, idleMs: 600_000, ...retry, onRetry: () => undefined });
  loop.start();
  const stopped = loop.stop().then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect(isOver).toBe(false);
  resolve(false);
  await stopped;
  expect(isOver).toBe(true);
});
