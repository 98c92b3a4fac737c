import { expect, test } from "vitest";
import { createDrainRate } from "./drainRate.ts";

const MIB = 1024 * 1024;
const nothing = { bytes: 0, sinceMs: 0 };

test("nothing is known before a large send", () => {
  const rate = createDrainRate();
  rate.sent(500, 20);
  expect(rate.bytesPerMs(nothing)).toBeUndefined();
});

test("large sends measure the rate, small ones only their round trip", () => {
  const rate = createDrainRate();
  rate.sent(2 * MIB, 20);
  rate.sent(500, 20);
  expect(rate.bytesPerMs(nothing)).toBeCloseTo((2 * MIB) / 20);
});

test("the rate follows a log that becomes slow, even before the slow send has ended", () => {
  const rate = createDrainRate();
  rate.sent(2 * MIB, 20);
  expect(rate.bytesPerMs({ bytes: 2 * MIB, sinceMs: 10 })).toBeCloseTo((2 * MIB) / 20);
  expect(rate.bytesPerMs({ bytes: 2 * MIB, sinceMs: 2_000 })).toBeCloseTo((2 * MIB) / 2_000);
  for (let n = 0; n < 60; n++) rate.sent(2 * MIB, 200);
  expect(rate.bytesPerMs(nothing)).toBeCloseTo((2 * MIB) / 200, 0);
});
