import fc from "fast-check";
import { expect, test } from "vitest";
import { CHAMPION_SENDS_MIN, decideChampion } from "./decideChampion.ts";

const result = (name: string, sends: number, score: number) => ({ name, sends, score: BigInt(score) });

test("the variant with the greatest score per send wins, not the one with the greatest score", () => {
  expect(decideChampion([result("a", 300, 30), result("b", 100, 11)])).toEqual({ winner: "b" });
});

test("a variant with too few sends, and a tie of the best, leave a split", () => {
  expect(decideChampion([result("a", 500, 90), result("b", CHAMPION_SENDS_MIN - 1, 1)])).toEqual({
    winner: null,
    reason: "too-few-sends",
  });
  const tied = [result("a", 300, 30), result("b", 100, 10), result("c", 100, 9)];
  expect(decideChampion(tied)).toEqual({ winner: null, reason: "tie" });
  expect(decideChampion([result("a", CHAMPION_SENDS_MIN, 0), result("b", 200, 0)]).reason).toBe("tie");
});

test("the order of the variants decides nothing", () => {
  const results = fc.uniqueArray(
    fc.record({ name: fc.string(), sends: fc.integer({ min: 90, max: 500 }), score: fc.bigInt({ min: 0n, max: 9n }) }),
    { selector: ({ name }) => name, minLength: 2, maxLength: 8 },
  );
  fc.assert(
    fc.property(results, (all) => {
      const decided = decideChampion(all);
      expect(decideChampion(all.toReversed())).toEqual(decided);
      const best = all.find(({ name }) => name === decided.winner);
      if (best === undefined) return;
      for (const { name, sends, score } of all) {
        if (name !== best.name) expect(best.score * BigInt(sends)).toBeGreaterThan(score * BigInt(best.sends));
      }
    }),
  );
});
