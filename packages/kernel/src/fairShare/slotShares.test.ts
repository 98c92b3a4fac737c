import fc from "fast-check";
import { expect, test } from "vitest";
import { createSlotShares } from "./slotShares.ts";

test("a holder that is alone has half of the slots, and the next ones find some", () => {
  const shares = createSlotShares<string>(64);
  const takeAll = (holder: string) => {
    let taken = 0;
    for (; shares.admits(holder); taken++) shares.take(holder);
    return taken;
  };
  expect([..."abcdef"].map(takeAll)).toEqual([32, 16, 8, 4, 2, 1]);
  expect([...shares.full()]).toEqual([..."abcdef"]);
  expect([shares.free, shares.admits("next")]).toEqual([1, true]);
});

test("no more slots are held than there are, and all are free again when they were given back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(9), { maxLength: 200 }), (slots, holders) => {
      const shares = createSlotShares<number>(slots);
      const held: number[] = [];
      for (const holder of holders) {
        if (!shares.admits(holder)) continue;
        shares.take(holder);
        held.push(holder);
      }
      expect(shares.free).toBe(slots - held.length);
      expect(shares.free).toBeGreaterThanOrEqual(0);
      for (const holder of held) shares.give(holder);
      expect([shares.free, shares.full().size]).toEqual([slots, 0]);
    }),
  );
});
