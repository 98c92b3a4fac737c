import { expect, test } from "vitest";
import { createRangeBatcher } from "./rangeBatcher.ts";

const MIB = 1024 * 1024;

interface Named {
  readonly name: string;
  readonly mib?: number;
}

/** A batcher whose rounds end when the test says so. */
function batching() {
  const rounds: { readonly names: string; readonly answer: PromiseWithResolvers<boolean> }[] = [];
  const batcher = createRangeBatcher<Named>({
    write(ranges) {
      const answer = Promise.withResolvers<boolean>();
      rounds.push({ names: ranges.map(({ name }) => name).join(), answer });
      return answer.promise;
    },
    bytesOf: ({ mib = 0 }) => mib * MIB,
  });
  const write = (name: string, mib?: number) => batcher.announce().write({ name, ...(mib !== undefined && { mib }) });
  const names = () => rounds.map((round) => round.names);
  const end = async (round: number, isWritten = true) => {
    await expect.poll(() => rounds.length).toBeGreaterThan(round);
    rounds[round]?.answer.resolve(isWritten);
  };
  return { batcher, rounds, write, names, end };
}

test("ranges that are ready in the same turn are written together and have the same result", async () => {
  const { write, names, end } = batching();
  const all = [write("a"), write("b"), write("c")];
  await end(0, false);
  expect(await Promise.all(all)).toEqual([false, false, false]);
  expect(names()).toEqual(["a,b,c"]);
});

test("a range that is ready waits for those that are being made, until they are ready or withdrawn", async () => {
  const { batcher, write, names, end } = batching();
  const [created, withdrawn] = [batcher.announce(), batcher.announce()];
  const first = write("a");
  const second = created.write({ name: "b" });
  created.withdraw();
  withdrawn.withdraw();
  await end(0);
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(names()).toEqual(["a,b"]);
});

test("a range that is ready does not wait for ever for one that is being made", async () => {
  const { batcher, write, names, end } = batching();
  const slow = batcher.announce();
  const first = write("a");
  await end(0);
  expect(await first).toBe(true);
  const second = slow.write({ name: "b" });
  await end(1);
  expect(await second).toBe(true);
  expect(names()).toEqual(["a", "b"]);
});

test("what is ready while a round is under way makes the next one", async () => {
  const { write, names, end, rounds } = batching();
  const first = write("a");
  await expect.poll(() => rounds.length).toBe(1);
  const later = [write("b"), write("c")];
  await end(0);
  await end(1);
  await Promise.all([first, ...later]);
  expect(names()).toEqual(["a", "b,c"]);
});

test("a failure reaches all of its round, and no other", async () => {
  const { write, end, rounds } = batching();
  const both = Promise.allSettled([write("a"), write("b")]);
  await expect.poll(() => rounds.length).toBe(1);
  const next = write("c");
  rounds[0]?.answer.reject(new Error("away"));
  expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await end(1);
  expect(await next).toBe(true);
});

test("a round has a bound, and a range above it goes alone", async () => {
  const { write, names, end } = batching();
  const all = [write("a", 9), write("b", 9), write("c", 20), write("d", 1)];
  for (const round of [0, 1, 2, 3]) await end(round);
  await Promise.all(all);
  expect(names()).toEqual(["a", "b", "c", "d"]);
});
