/** Positions that go to urgent work in a row while other work waits; the next one goes to that. */
const URGENT_IN_A_ROW = 20;

export interface SlotsRun {
  /** Goes before all other work that waits for a position. Default false. */
  readonly isUrgent?: boolean;
}

/** A number of slots for work at a time. Whoever finds all of them taken waits in turn, urgent work before the rest. */
export class Slots {
  readonly #places: number;
  readonly #urgent: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #taken = 0;
  #urgentInARow = 0;

  constructor(positions: number) {
    this.#places = positions;
  }

  async run<Result>(work: () => Promise<Result>, { isUrgent = false }: SlotsRun = {}): Promise<Result> {
    const running = this.#runInTurn(work, isUrgent ? this.#urgent : this.#others);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when all work that was given is done. */
  async empty(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #runInTurn<Result>(work: () => Promise<Result>, waiting: (() => void)[]): Promise<Result> {
    if (this.#taken < this.#places) this.#taken += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next === undefined) this.#taken -= 1;
      else next();
    }
  }

  #next(): (() => void) | undefined {
    const isTurnOfOthers = this.#others.length > 0 && this.#urgentInARow >= URGENT_IN_A_ROW;
    const next = isTurnOfOthers ? undefined : this.#urgent.shift();
    // Without others that wait there is nobody to count for.
    this.#urgentInARow = next !== undefined && this.#others.length > 0 ? this.#urgentInARow + 1 : 0;
    return next ?? this.#others.shift();
  }
}
