import fc from "fast-check";
import { expect, test } from "vitest";
import { createShares } from "./shares.ts";

test("a single holder gets most of a pool, and never all", () => {
  const shares = createShares({ max: 100, weight: 3 });
  expect([shares.take("a", 75), shares.take("a", 1), shares.take("b", 18)]).toEqual([true, false, true]);
});

test("many holders leave something for the next one, whoever they are and whatever they take", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(19), fc.integer({ min: 1, max: 400 })), { maxLength: 500 }), (takes) => {
      const shares = createShares({ max: 4_000_000, weight: 1 });
      for (const [holder, amount] of takes) for (let n = 0; n < 50; n++) shares.take(`h${holder}`, amount);
      expect(shares.take("another", 1)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("what is given back is there again", () => {
  const shares = createShares({ max: 10, weight: 1 });
  for (let n = 0; n < 100; n++) {
    expect(shares.take("a", 5)).toBe(true);
    expect(shares.take("a", 1)).toBe(false);
    shares.give("a", 2);
    shares.give("a", 3);
  }
});
