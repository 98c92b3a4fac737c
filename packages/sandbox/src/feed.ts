export interface FeedOptions<Task> {
  /** Time on the clock of `performance.now()` after which no more tasks are taken. */
  readonly endsAt: number;
  /** Takes the next batch; empty when nothing waits. */
  readonly take: () => Task[];
  readonly run: (batch: readonly Task[]) => Promise<void>;
}

/** A process works on one batch while the next is on its way. */
const BATCHES_MAX = 2;

/** Passes batches on as long as there are any, a bounded number at a time. */
export class Feed<Task> {
  readonly #options: FeedOptions<Task>;
  readonly #done = Promise.withResolvers<void>();
  #running = 0;
  #isWoken = false;

  constructor(options: FeedOptions<Task>) {
    this.#options = options;
  }

  /** Runs a batch and those that follow. @throws what running one of them throws. */
  async run(first: readonly Task[]): Promise<void> {
    this.#pass(first);
    this.wake();
    await this.#done.promise;
  }

  /** Takes more when the current turn of the event loop is over: what was offered in it goes together. */
  wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      this.#fill();
    });
  }

  #fill(): void {
    while (this.#running < BATCHES_MAX && performance.now() < this.#options.endsAt) {
      const batch = this.#options.take();
      if (batch.length === 0) break;
      this.#pass(batch);
    }
    if (this.#running === 0) this.#done.resolve();
  }

  #pass(batch: readonly Task[]): void {
    this.#running += 1;
    const onEnd = () => {
      this.#running -= 1;
      this.wake();
    };
    this.#options.run(batch).then(onEnd, this.#done.reject);
  }
}
