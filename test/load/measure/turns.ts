import type { Bench } from "../world/services.ts";
import type { Stretch } from "./tally.ts";

/** One side of a comparison: ours or a limit. */
export interface Side {
  readonly name: string;
  stretch(): Promise<Stretch>;
}

/**
 * Lets the sides take turns in short rounds, after one turn each that does not count, so that a noisy machine and cold code
 * hit all of them alike.
 * @returns the stretches of every side, in the order of the sides.
 */
export async function takeTurns(bench: Bench, what: string, sides: readonly Side[]): Promise<Stretch[][]> {
  const stretches: Stretch[][] = sides.map(() => []);
  for (let round = 0; round <= bench.rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const stretch = await side.stretch();
      const rate = Math.round(stretch.events / stretch.seconds).toLocaleString("en");
      bench.say(`${what}, ${round === 0 ? "warm-up" : `round ${round}`}, ${side.name}: ${rate}/s`);
      if (round > 0) stretches[index]?.push(stretch);
    }
  }
  return stretches;
}
