import { describe, expect, test } from "vitest";
import { createAddressLimits } from "./addressLimits.ts";

describe("the limits of addresses", () => {
  test("let a burst through, and then so many a second", () => {
    const limits = createAddressLimits({ perSecond: 2, burst: 3 });
    const at = (ms: number) => limits.take("192.0.2.1", ms);
    expect([at(0), at(0), at(0), at(0), at(499), at(500), at(500)]).toEqual([
      ...[true, true, true, false, false, true, false],
    ]);
    expect(limits.take("192.0.2.2", 500)).toBe(true);
  });

  test("keep no more addresses than they may", () => {
    const limits = createAddressLimits({ perSecond: 0, burst: 1, addressesMax: 2 });
    for (const address of ["a", "b", "c"]) expect(limits.take(address, 0)).toBe(true);
    expect([limits.take("c", 0), limits.take("a", 0)]).toEqual([false, true]);
  });
});
