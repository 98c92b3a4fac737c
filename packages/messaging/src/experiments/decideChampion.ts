import type { ExperimentDecision } from "@headwater/contracts";

/** Sends that each variant needs before one may win. */
export const CHAMPION_SENDS_MIN = 100;

/** Numbers of a variant. */
export interface VariantResult {
  readonly name: string;
  readonly sends: number;
  /** Number that variants are compared by, in whole units. */
  readonly score: bigint;
}

/** Finds the variant with the greatest score per send. Too few sends of a variant, or a tie, leave the message a split. */
export function decideChampion(results: readonly VariantResult[]): Omit<ExperimentDecision, "at"> {
  if (results.some(({ sends }) => sends < CHAMPION_SENDS_MIN)) return { winner: null, reason: "too-few-sends" };
  const [first, second] = results.toSorted((a, b) => Number(-compare(a, b)));
  if (first === undefined || (second !== undefined && compare(first, second) === 0n)) {
    return { winner: null, reason: "tie" };
  }
  return { winner: first.name };
}

/** Compares scores per send in whole numbers, so that a tie is one. */
function compare(a: VariantResult, b: VariantResult): bigint {
  const difference = a.score * BigInt(b.sends) - b.score * BigInt(a.sends);
  return difference === 0n ? 0n : difference > 0n ? 1n : -1n;
}
