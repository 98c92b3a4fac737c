interface OutcomesOptions<Outcome> {
  readonly store: (outcomes: readonly Outcome[]) => Promise<void>;
  /** Longest wait of an outcome for others. Default 1 s. */
  readonly storeWithinMs?: number | undefined;
}

const STORE_WITHIN_MS = 1_000;
/** Outcomes that are stored at once: the next window waits for their room. */
const STORED_AT_ONCE = 25;

/** Gathers outcomes of a window: a kill while one server is slow makes nothing unknown that was answered long before. */
export class Outcomes<Outcome> {
  readonly #store: OutcomesOptions<Outcome>["store"];
  readonly #withinMs: number;
  #waiting: Outcome[] = [];
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();
  /** Kept until `end`: nobody waits for what is stored before. */
  readonly #failures: unknown[] = [];

  constructor({ store, storeWithinMs = STORE_WITHIN_MS }: OutcomesOptions<Outcome>) {
    this.#store = store;
    this.#withinMs = storeWithinMs;
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome);
    if (this.#waiting.length >= STORED_AT_ONCE) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#withinMs);
  }

  /** Stores the rest. @throws (rejects) the first failure of the store. */
  async end(): Promise<void> {
    this.#flush();
    await this.#storing;
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const outcomes = this.#waiting;
    this.#waiting = [];
    if (outcomes.length === 0) return;
    this.#storing = this.#storing
      .then(() => this.#store(outcomes))
      .catch((error: unknown) => void this.#failures.push(error));
  }
}
