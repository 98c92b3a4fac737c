import { expect, test } from "vitest";
import { createSharedRead } from "./streamChecks.ts";

test("a thousand that ask at once cost one look, and one more for those who ask while it is under way", async () => {
  const checks: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = createSharedRead(async (keys: readonly number[]) => {
    checks.push(keys.length);
    await promise;
    return keys.length;
  });
  const first = Promise.all(Array.from({ length: 1_000 }, (_, key) => check(key)));
  await new Promise((next) => setImmediate(next));
  const second = [check(1), check(2)];
  await new Promise((next) => setImmediate(next));
  expect(checks).toEqual([1_000]);
  resolve();
  expect((await first).every((seen) => seen === 1_000)).toBe(true);
  expect(await Promise.all(second)).toEqual([2, 2]);
  expect(checks).toEqual([1_000, 2]);
});

test("a look that fails fails for those it was made for; the next ones look again", async () => {
  let fails = true;
  const read = createSharedRead(async () => {
    if (fails) throw new Error("away");
    return "seen";
  });
  await expect(read(1)).rejects.toThrow("away");
  fails = false;
  await expect(read(1)).resolves.toBe("seen");
});
