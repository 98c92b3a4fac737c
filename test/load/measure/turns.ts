import type { Bench } from "../world/services.ts";
import type { Stretch } from "./tally.ts";

/** One side of a comparison: ours or a limit. */
export interface Side {
  readonly name: string;
  /** Left out where two commits of ours are compared. */
  readonly isLimit?: boolean;
  stretch(): Promise<Stretch>;
}

/**
 * Lets the sides take turns in short rounds, so that a noisy machine hits all of them alike. Before that each works for the time of
 * warming up, because code that was not yet compiled says little.
 * @returns the stretches of every side, in the order of the sides; none of limits that are left out.
 */
export async function takeTurns(bench: Bench, what: string, sides: readonly Side[]): Promise<Stretch[][]> {
  const stretches: Stretch[][] = sides.map(() => []);
  const take = async (side: Side, round: string) => {
    const stretch = await side.stretch();
    const rate = Math.round(stretch.events / stretch.seconds).toLocaleString("en");
    bench.say(`${what}, ${round}, ${side.name}: ${rate}/s`);
    return stretch;
  };
  const measured = sides
    .map((side, index) => ({ side, index }))
    .filter(({ side }) => bench.withLimits || !side.isLimit);
  for (const { side } of measured) {
    for (let seconds = 0; seconds < bench.warmSeconds; ) seconds += (await take(side, "warm-up")).seconds;
  }
  for (let round = 1; round <= bench.rounds; round++) {
    for (const { side, index } of measured) stretches[index]?.push(await take(side, `round ${round}`));
  }
  return stretches;
}
