import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that stops where it may be interrupted, in well under a slice each time. */
export type Sliced<Result> = Generator<void, Result, void>;

/**
 * The event loop is held no longer than this for one body, then everything that has come in is served. A small call takes several turns of the
 * loop, and waits for a slice in each; a turn itself costs some 50 µs.
 */
const SLICE_MS = 4;

/** Runs work in slices, each in a turn of the loop of its own. */
export async function runInSlices<Result>(work: Sliced<Result>): Promise<Result> {
  for (;;) {
    const endsAt = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() < endsAt);
    await nextTurn();
  }
}

/** Runs work that is small in one go. */
export function runAtOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Maps items one by one, so that the work may stop between two of them. */
export function* mapInSteps<Item, Result>(items: readonly Item[], map: (item: Item) => Result): Sliced<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    yield;
  }
  return results;
}
