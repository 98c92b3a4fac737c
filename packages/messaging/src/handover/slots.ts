/** A number of places for work at a time. Whoever finds all of them taken waits in turn. */
export class Slots {
  readonly #places: number;
  readonly #waiting: (() => void)[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #taken = 0;

  constructor(places: number) {
    this.#places = places;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = this.#runInTurn(work);
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

  async #runInTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#taken < this.#places) this.#taken += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#taken -= 1;
      else next();
    }
  }
}
