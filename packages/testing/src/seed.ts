const SEEDS = 2 ** 31;

/** The seed that a variable gives (`FUZZ_SEED=7`), or one at random. A test says it in its name, so that its run can be had again. */
export function seedFrom(input: string | undefined): number {
  return Number(input || 0) || Math.floor(Math.random() * SEEDS);
}
