/** Work that stops where it may be interrupted, in well under a slice each time. */
export type Sliced<Result> = Generator<void, Result, void>;

/**
 * All sliced work of a process shares one slice a turn of the event loop, however much of it there is; then everything that has come in is
 * served. A small call takes several turns of the loop, and waits for a slice in each; a turn itself costs some 50 µs.
 */
const SLICE_MS = 4;

/** Time at which the slice of this turn is used up; undefined in a turn that has had none yet. */
let sliceEndsAt: number | undefined;
/** Works that wait for a turn, the longest wait first. */
const waiting: (() => void)[] = [];

/** Runs work in slices, in turns of the loop that it shares with other work. */
export async function runInSlices<Result>(work: Sliced<Result>): Promise<Result> {
  if (waiting.length > 0) await nextSlice();
  try {
    for (;;) {
      const endsAt = sliceOfThisTurn();
      do {
        const step = work.next();
        if (step.done === true) return step.value;
      } while (performance.now() < endsAt);
      await nextSlice();
    }
  } finally {
    if (sliceEndsAt !== undefined && performance.now() < sliceEndsAt) waiting.shift()?.();
  }
}

function sliceOfThisTurn(): number {
  if (sliceEndsAt === undefined) {
    sliceEndsAt = performance.now() + SLICE_MS;
    setImmediate(beginTurn);
  }
  return sliceEndsAt;
}

function nextSlice(): Promise<void> {
  return new Promise((resolve) => waiting.push(resolve));
}

/** One work goes on in a turn; when it is done, the next one has what is left of the slice. */
function beginTurn(): void {
  sliceEndsAt = undefined;
  const next = waiting.shift();
  if (next === undefined) return;
  sliceOfThisTurn();
  next();
}

/** Runs work that is small in one go. */
export function runAtOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Lets everything that has come in be served, once the slice of this turn is used up: for work that is no generator, between two of its steps. */
export function giveTurn(): Promise<void> {
  return runInSlices(stopOnce());
}

function* stopOnce(): Sliced<void> {
  yield;
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
