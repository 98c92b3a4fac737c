import { type ExperimentState, experimentTypes } from "@headwater/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseAutomatedVariant, chooseVariant, type Experiment, waitsForChampion } from "./chooseVariant.ts";

const experiments = fc.record({
  type: fc.constantFrom(...experimentTypes),
  variants: fc.uniqueArray(
    fc.record({ name: fc.string({ minLength: 1 }), weight: fc.double({ min: 0.01, max: 100, noNaN: true }) }),
    { selector: ({ name }) => name, minLength: 2, maxLength: 8 },
  ),
  testPercent: fc.double({ min: 1, max: 99, noNaN: true }),
});
const located = fc.record({ message: fc.string(), contact: fc.nat() });
const learnt: fc.Arbitrary<ExperimentState> = fc.record(
  {
    decision: fc.record({ winner: fc.option(fc.string()), at: fc.nat() }),
    weights: fc.record({
      shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
      renewal: fc.nat(),
      at: fc.nat(),
    }),
  },
  { requiredKeys: [] },
);

test("a contact has one of the variants, and the same one as long as nothing is learnt", () => {
  fc.assert(
    fc.property(experiments, learnt, located, (experiment, state, contact) => {
      const chosen = chooseVariant(experiment, state, contact);
      expect(experiment.variants).toContain(chosen);
      expect(chooseVariant({ ...experiment }, { ...state }, { ...contact })).toBe(chosen);
    }),
  );
});

test("a champion goes to those who waited for it, and changes nothing for those who tested it", () => {
  fc.assert(
    fc.property(experiments, located, fc.nat(), (input, contact, position) => {
      const experiment: Experiment = { ...input, type: "split-with-champion" };
      const winner = experiment.variants[position % experiment.variants.length];
      const decided = chooseVariant(experiment, { decision: { winner: winner?.name ?? "", at: 1 } }, contact);
      expect(decided).toBe(waitsForChampion(experiment, contact) ? winner : chooseVariant(experiment, {}, contact));
    }),
  );
});

test("the share of the audience that tests is the one asked for, and other experiments let nobody wait", () => {
  const waiting = (experiment: Omit<Experiment, "variants">) =>
    Array.from({ length: 4_000 }, (_, contact) => ({ message: "m", contact })).filter((one) =>
      waitsForChampion(experiment, one),
    ).length;
  expect(Math.abs(waiting({ type: "split-with-champion", testPercent: 20 }) / 4_000 - 0.8)).toBeLessThan(0.03);
  expect([waiting({ type: "split" }), waiting({ type: "bandit", testPercent: 20 })]).toEqual([0, 0]);
});

test("an automated send has no variant while a test that it is outside of has no result, and is chosen for as others otherwise", () => {
  fc.assert(
    fc.property(experiments, learnt, located, (experiment, state, contact) => {
      const isOutside = waitsForChampion(experiment, contact) && state.decision === undefined;
      const chosen = chooseAutomatedVariant(experiment, state, contact);
      expect(chosen).toBe(isOutside ? undefined : chooseVariant(experiment, state, contact));
    }),
  );
});
