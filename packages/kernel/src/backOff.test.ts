import { expect, test } from "vitest";
import { backOffMs, pause, sleepUntilAborted } from "./backOff.ts";

const bounds = { minMs: 100, maxMs: 1_000 };

test("the bound doubles with every failure and never exceeds the maximum", () => {
  const almostOne = () => 0.999_999;
  const waits = [1, 2, 3, 4, 5, 400].map((failures) => backOffMs(failures, { ...bounds, random: almostOne }));
  expect(waits).toEqual([99, 199, 399, 799, 999, 999]);
});

test("full jitter begins at 0 and equal jitter at half of the bound", () => {
  const random = () => 0;
  expect(backOffMs(2, { ...bounds, random })).toBe(0);
  expect(backOffMs(2, { ...bounds, random, jitter: "equal" })).toBe(100);
});

test("a failure count below 1 waits like the first failure", () => {
  expect(backOffMs(0, { ...bounds, random: () => 0.5 })).toBe(50);
});

test("a wait rejects with the reason of the signal that ends it", async () => {
  const stopping = new AbortController();
  const wait = sleepUntilAborted(600_000, stopping.signal);
  stopping.abort(new Error("stopping"));
  await expect(wait).rejects.toThrow("stopping");
});

test("a pause ends with its signal, also with one that had fired before", async () => {
  const stopping = new AbortController();
  const begun = pause(600_000, stopping.signal);
  stopping.abort();
  await expect(begun).resolves.toBeUndefined();
  await expect(pause(600_000, stopping.signal)).resolves.toBeUndefined();
});
