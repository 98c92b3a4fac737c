import type { ExperimentMetric } from "@headwater/contracts";
import type { VariantResult } from "./decideChampion.ts";

/** Draws from what is known of the variants; their shares are exact to about a hundredth. */
const DRAWS = 2_000;

/** Attempts at one draw; more than 19 of 20 are taken at once. */
const TRIES_MAX = 1_000;

/** Returns numbers from 0 to below 1. */
export type Random = () => number;

/** Result of a variant, with the orders that its revenue is the sum of. */
export interface BanditResult extends VariantResult {
  readonly orders: number;
}

/**
 * Returns each variant's share of the next sends: how often it is the best one when what is known of all is drawn at random (Thompson
 * sampling). Without any sends all shares are about alike.
 */
export function banditShares(results: readonly BanditResult[], metric: ExperimentMetric, random: Random): number[] {
  const draw = metric === "revenue" ? drawRevenue(results) : drawRate;
  const best = results.map(() => 0);
  for (let count = 0; count < DRAWS; count += 1) {
    const drawn = results.map((result) => draw(result, random));
    const index = drawn.indexOf(Math.max(...drawn));
    best[index] = (best[index] ?? 0) + 1;
  }
  return best.map((times) => times / DRAWS);
}

/** Draws the rate of contacts per send from a Beta distribution, uniform before anything is known. */
function drawRate({ sends, score }: BanditResult, random: Random): number {
  const reached = Math.max(0, Math.min(Number(score), sends));
  const yes = drawGamma(1 + reached, random);
  const no = drawGamma(1 + sends - reached, random);
  return yes / (yes + no);
}

/**
 * Draws the revenue per send: orders come at a rate with a Gamma distribution, and amounts are exponential with a mean that has an inverse
 * Gamma distribution around the mean of all variants.
 */
function drawRevenue(results: readonly BanditResult[]): typeof drawRate {
  const sum = (of: (result: BanditResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const mean =
    Math.max(
      1,
      sum(({ score }) => Number(score)),
    ) /
    Math.max(
      1,
      sum(({ orders }) => orders),
    );
  return ({ sends, score, orders }, random) => {
    const perSend = drawGamma(1 + orders, random) / (1 + sends);
    return (perSend * (mean + Math.max(0, Number(score)))) / drawGamma(1 + orders, random);
  };
}

/** Draws from a Gamma distribution of scale 1. @param shape at least 1. @see Marsaglia and Tsang, ACM TOMS 26 (2000) 363–372 */
function drawGamma(shape: number, random: Random): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const x = drawNormal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < (x * x) / 2 + d * (1 - v + Math.log(v))) return d * v;
  }
  return d;
}

/** Draws from the standard normal distribution. @see Box and Muller, Annals of Mathematical Statistics 29 (1958) 610–611 */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
