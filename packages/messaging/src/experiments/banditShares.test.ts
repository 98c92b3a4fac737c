import { experimentMetrics } from "@headwater/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type BanditResult, banditShares } from "./banditShares.ts";
import { chooseVariant } from "./chooseVariant.ts";

/** Repeatable numbers from 0 to below 1. */
function seeded(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const seeds = fc.integer({ min: 1, max: 2 ** 31 });
const results = fc.array(
  fc.record({
    name: fc.string(),
    sends: fc.nat(100_000),
    score: fc.bigInt({ min: -1_000n, max: 10n ** 12n }),
    orders: fc.nat(100_000),
  }),
  { minLength: 2, maxLength: 8 },
);

test("shares are one for each variant, never below 0, and add up to 1", () => {
  fc.assert(
    fc.property(results, fc.constantFrom(...experimentMetrics), seeds, (all, metric, seed) => {
      const shares = banditShares(all, metric, seeded(seed));
      expect(shares).toHaveLength(all.length);
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
    }),
    { numRuns: 30 },
  );
});

const ROUNDS = 12;
const SENDS = 250;

/** Sends round after round by the shares in force, and renews them from what contacts did. @returns the shares of the end. */
function play(rates: readonly number[], { seed, amount }: { readonly seed: number; readonly amount?: number }) {
  const random = seeded(seed);
  const variants = rates.map((_, index) => ({ name: `v${index}`, weight: 1 }));
  const experiment = { type: "bandit", variants } as const;
  const known = variants.map(({ name }): BanditResult => ({ name, sends: 0, score: 0n, orders: 0 }));
  let shares: number[] = variants.map(() => 1 / variants.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let contact = 0; contact < SENDS; contact += 1) {
      const weights = { shares, renewal: round, at: 0 };
      const located = { message: `m${seed}`, contact: round * SENDS + contact };
      const position = variants.findIndex(({ name }) => name === chooseVariant(experiment, { weights }, located)?.name);
      const result = known[position];
      if (result === undefined) throw new Error("a contact got none of the variants");
      const isReached = random() < (rates[position] ?? 0);
      const score = result.score + (isReached ? BigInt(amount ?? 1) : 0n);
      known[position] = { ...result, sends: result.sends + 1, score, orders: result.orders + (isReached ? 1 : 0) };
    }
    shares = banditShares(known, amount === undefined ? "uniqueClicks" : "revenue", random);
  }
  return shares;
}

test("a bandit turns to the better variant, and assigns nothing but its variants", () => {
  fc.assert(
    fc.property(seeds, fc.constantFrom(undefined, 250_000), (seed, amount) => {
      const [, better = 0] = play([0.05, 0.25, 0.05], { seed, ...(amount !== undefined && { amount }) });
      expect(better).toBeGreaterThan(0.8);
    }),
    { numRuns: 15 },
  );
});
