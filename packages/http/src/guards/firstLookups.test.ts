import { expect, test } from "vitest";
import { createFirstLookups } from "./firstLookups.ts";

const none = async () => new Map<string, string>();

test("many names go in one question, few questions at once, and the addresses in turn", async () => {
  const asked: string[][] = [];
  const held = Promise.withResolvers<void>();
  const lookups = createFirstLookups<string>({
    timeoutMs: 5_000,
    questionsMax: 1,
    namesMax: 4,
    findMany: async (names) => {
      asked.push([...names]);
      await held.promise;
      return new Map([["wanted", "found"]]);
    },
  });
  const guesses = Array.from({ length: 12 }, (_, n) => lookups.find(`guess-${n}`, "203.0.113.7"));
  await expect.poll(() => asked.length).toBe(1);
  const wanted = lookups.find("wanted", "203.0.113.8");
  held.resolve();
  expect(await wanted).toBe("found");
  await Promise.all(guesses);
  expect(asked.map((names) => names.length)).toEqual([4, 4, 4, 1]);
  expect(asked[1]).toContain("wanted");
});

test("an address whose names fill half of what may wait is refused, and the next one is not", async () => {
  const held = Promise.withResolvers<void>();
  const lookups = createFirstLookups<string>({
    timeoutMs: 5_000,
    waitingMax: 100,
    findMany: () => held.promise.then(none),
  });
  const tried = Promise.allSettled(Array.from({ length: 100 }, (_, n) => lookups.find(`guess-${n}`, "203.0.113.7")));
  const other = lookups.find("wanted", "203.0.113.8");
  held.resolve();
  expect((await tried).filter(({ status }) => status === "rejected")).toHaveLength(50);
  expect(await other).toBeUndefined();
});

test("a store that does not answer fails those that asked, and the next are asked for again", async () => {
  let isAway = true;
  const lookups = createFirstLookups<string>({
    timeoutMs: 50,
    findMany: () => (isAway ? new Promise(() => undefined) : none()),
  });
  await expect(lookups.find("a", "x")).rejects.toThrow();
  isAway = false;
  expect(await lookups.find("a", "x")).toBeUndefined();
});
