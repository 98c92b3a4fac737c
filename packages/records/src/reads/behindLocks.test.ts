import { expect, test } from "vitest";
import { BehindLocks } from "./behindLocks.ts";

test("the queued answer is given once, and later ones are asked for anew", async () => {
  let asked = 0;
  const numbers = new BehindLocks(async () => ++asked);
  await numbers.queue();
  expect(asked).toBe(1);
  expect([await numbers.next(), await numbers.next(), await numbers.next()]).toEqual([1, 2, 3]);
});

test("what was not queued is asked for when it is needed", async () => {
  const numbers = new BehindLocks(async () => 7);
  expect(await numbers.next()).toBe(7);
});
