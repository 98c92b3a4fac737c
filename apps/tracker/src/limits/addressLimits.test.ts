import { describe, expect, test } from "vitest";
import { createAddressLimits, networkOf } from "./addressLimits.ts";

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

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:0:1:aaaa::1", "2001:db8:0:1"],
    ["2001:0DB8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4"],
    ["no address", "no address"],
  ])("count %s as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
