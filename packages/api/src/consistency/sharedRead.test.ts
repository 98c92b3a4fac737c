import { expect, test } from "vitest";
import { createSharedRead } from "./streamLooks.ts";

test("a thousand that ask at once cost one look, and one more for those who ask while it is under way", async () => {
  const looks: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = createSharedRead(async (keys: readonly number[]) => {
    looks.push(keys.length);
    await promise;
    return keys.length;
  });
  const first = Promise.all(Array.from({ length: 1_000 }, (_, key) => look(key)));
  await new Promise((next) => setImmediate(next));
  const second = [look(1), look(2)];
  await new Promise((next) => setImmediate(next));
  expect(looks).toEqual([1_000]);
  resolve();
  expect((await first).every((seen) => seen === 1_000)).toBe(true);
  expect(await Promise.all(second)).toEqual([2, 2]);
  expect(looks).toEqual([1_000, 2]);
});

test("a look that fails fails for those it was made for; the next ones look again", async () => {
  let fails = true;
  const look = createSharedRead(async () => {
    if (fails) throw new Error("away");
    return "seen";
  });
  await expect(look(1)).rejects.toThrow("away");
  fails = false;
  await expect(look(1)).resolves.toBe("seen");
});
