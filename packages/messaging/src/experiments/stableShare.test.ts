import fc from "fast-check";
import { expect, test } from "vitest";
import { stableShare, variantAt } from "./stableShare.ts";

const variants = [
  { name: "a", weight: 1 },
  { name: "b", weight: 3 },
];

test("a contact has one place in a message for each purpose, whenever it is asked", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (message, contact) => {
      const share = stableShare("variant", { message, contact });
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThan(1);
      expect(stableShare("variant", { message, contact })).toBe(share);
      expect(stableShare("holdout", { message, contact })).not.toBe(share);
    }),
  );
});

test("contacts fall to variants by their weights", () => {
  const chosen = Array.from({ length: 4_000 }, (_, contact) =>
    variantAt(variants, stableShare("variant", { message: "m", contact })),
  );
  const ofA = chosen.filter((one) => one?.name === "a").length;
  expect(Math.abs(ofA / 4_000 - 0.25)).toBeLessThan(0.03);
});

test("the ends of the range fall to the first and the last variant, and no variant is none", () => {
  expect(variantAt(variants, 0)?.name).toBe("a");
  expect(variantAt(variants, 1 - Number.EPSILON)?.name).toBe("b");
  expect(variantAt([], 0.5)).toBeUndefined();
});
