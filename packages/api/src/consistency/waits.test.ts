import { createFairGate, createFlowContext, systemClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createWaits } from "./waits.ts";

const never = new AbortController().signal;
const waitsOf = (slotsPerFlow: number) =>
  createWaits({ gate: createFairGate({ what: "waits", slots: 100, slotsPerFlow }), clock: systemClock });

test("what is consistent already takes no place; what becomes consistent is answered at once; what does not is answered when the time is up", async () => {
  const waits = waitsOf(2);
  let isDone = false;
  const wait = { flow: 1, timeoutMs: 5_000, signal: never };
  expect(await waits.until(async () => true, { ...wait, timeoutMs: 0 })).toBe(true);
  const becoming = waits.until(async () => isDone, wait);
  expect(await waits.until(async () => false, { ...wait, timeoutMs: 60 })).toBe(false);
  isDone = true;
  expect(await becoming).toBe(true);
});

test("an account has as many waits as it may; more are its own 429, and others wait beside it", async () => {
  const waits = waitsOf(2);
  const gone = new AbortController();
  const wait = (flow: number) => waits.until(async () => false, { flow, timeoutMs: 10_000, signal: gone.signal });
  const held = [wait(1), wait(1)];
  await expect(wait(1)).rejects.toMatchObject({ status: 429, code: "RATE_LIMITED", retriable: true });
  held.push(wait(2));
  gone.abort();
  expect(await Promise.all(held)).toEqual([false, false, false]);
});

test("a look that takes its time holds up nobody but who asked for it", async () => {
  const waits = waitsOf(10);
  const wait = { flow: 1, timeoutMs: 5_000, signal: never };
  let asked = 0;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const slow = waits.until(() => (asked++ === 0 ? Promise.resolve(false) : promise), wait);
  let checks = 0;
  expect(await waits.until(async () => ++checks > 3, wait)).toBe(true);
  resolve(true);
  expect(await slow).toBe(true);
});

test("what a waiter asks for is its own account's work, whoever's timer asks", async () => {
  const flows = createFlowContext();
  const waits = waitsOf(10);
  const seen = new Map<number, Set<unknown>>();
  const wait = (flow: number) =>
    flows.run(flow, () =>
      waits.until(
        async () => {
          const of = seen.get(flow) ?? new Set();
          seen.set(flow, of.add(flows.current()));
          return false;
        },
        { flow, timeoutMs: 120, signal: never },
      ),
    );
  await Promise.all([wait(1), wait(2)]);
  expect([[...(seen.get(1) ?? [])], [...(seen.get(2) ?? [])]]).toEqual([[1], [2]]);
});
