import type { ExperimentState, ExperimentType } from "@headwater/contracts";
import { type Located, stableShare, variantAt } from "./stableShare.ts";

const PERCENT = 100;

export interface Variant {
  readonly name: string;
  readonly weight: number;
}

export interface Experiment<Of extends Variant = Variant> {
  readonly type: ExperimentType;
  readonly variants: readonly Of[];
  /** Share of the audience that tests the variants before the champion goes to the rest. */
  readonly testPercent?: number | undefined;
}

/** Returns whether a contact of a champion's audience waits until its variants were tested. */
export function waitsForChampion(
  { type, testPercent = PERCENT }: Omit<Experiment, "variants">,
  located: Located,
): boolean {
  return type === "split-with-champion" && stableShare("test", located) * PERCENT >= testPercent;
}

/**
 * Returns the variant of a contact for an automated message, whose sends do not wait: as long as a champion's test has no result, contacts
 * outside of it have none and get the message's own content.
 */
export function chooseAutomatedVariant<Of extends Variant>(
  experiment: Experiment<Of>,
  learnt: ExperimentState,
  placed: Located,
): Of | undefined {
  if (learnt.decision === undefined && waitsForChampion(experiment, placed)) return undefined;
  return chooseVariant(experiment, learnt, placed);
}

/**
 * Returns the variant of a contact that has none yet: by its place and the weights, which a bandit renews, or the champion for those
 * outside of its test. The same state gives the same variant, whoever asks.
 */
export function chooseVariant<Of extends Variant>(
  experiment: Experiment<Of>,
  { decision, weights }: ExperimentState,
  placed: Located,
): Of | undefined {
  const { type, variants } = experiment;
  const winner = variants.find(({ name }) => name === decision?.winner);
  if (winner !== undefined && waitsForChampion(experiment, placed)) return winner;
  const share = stableShare("variant", placed);
  if (type !== "bandit" || weights?.shares.length !== variants.length) return variantAt(variants, share);
  const weighted = variants.map((variant, index) => ({ variant, weight: weights.shares[index] ?? 0 }));
  return variantAt(weighted, share)?.variant;
}
