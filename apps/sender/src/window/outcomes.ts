import type { SenderPorts } from "../ports.ts";
import type { IntendedSend } from "./intendWindow.ts";
import type { Settlement } from "./outcome.ts";

/** An attempt that has ended. */
export interface Done {
  readonly intended: IntendedSend;
  readonly settlement: Settlement;
  /** The server asked for fewer. */
  readonly isSlowed: boolean;
}

interface OutcomesOptions extends Pick<SenderPorts, "storeWithinMs"> {
  readonly store: (done: readonly Done[]) => Promise<void>;
}

const STORE_WITHIN_MS = 1_000;

/** Gathers outcomes of a window: a kill while one server is slow makes nothing unknown that was answered long before. */
export class Outcomes {
  readonly #store: OutcomesOptions["store"];
  readonly #withinMs: number;
  #waiting: Done[] = [];
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor({ store, storeWithinMs = STORE_WITHIN_MS }: OutcomesOptions) {
    this.#store = store;
    this.#withinMs = storeWithinMs;
  }

  add(done: Done): void {
    this.#waiting.push(done);
    this.#timer ??= setTimeout(() => this.#flush(), this.#withinMs);
  }

  /** Stores the rest. */
  async end(): Promise<void> {
    this.#flush();
    await this.#storing;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const done = this.#waiting;
    this.#waiting = [];
    if (done.length === 0) return;
    this.#storing = this.#storing.then(() => this.#store(done));
    // `end` throws it: nobody waits for the answers of slow servers before.
    this.#storing.catch(() => undefined);
  }
}
