import type { SendKey } from "../sends/sendRow.ts";
import { WINDOW_SENDS_MAX } from "./ports.ts";

type MessageKey = Pick<SendKey, "account" | "message">;

/** Space that windows wait for, so that a part that goes out is worth its transactions. */
const CAPACITY_WANTED = WINDOW_SENDS_MAX / 2;

interface Waiting {
  readonly wanted: number;
  readonly resolve: () => void;
}

/**
 * Windows of one transport and classification in this process. One is prepared while others are handed over, and all together have no more
 * intents without an outcome than one window has sends.
 */
export class Queue {
  /** Messages that are known to go by it. */
  messages = new Map<string, MessageKey>();
  /** Windows that have not ended. */
  readonly running = new Set<Promise<void>>();
  readonly #onOpen: () => void;
  #open = 0;
  #isPreparing = false;
  #hasAnswered = false;
  #waiting: Waiting | undefined;

  /** @param onOpen is called when it may take another window. */
  constructor(onOpen: () => void) {
    this.#onOpen = onOpen;
  }

  /** True while there is no use in another window: one is being prepared, or the server has answered nothing since the last one. */
  get isBusy(): boolean {
    return this.#isPreparing || (this.#open > 0 && !this.#hasAnswered);
  }

  /** Begins a window, which is alone in being prepared. @returns what is called when nothing of it waits for its intent any more. */
  begin(): () => void {
    this.#isPreparing = true;
    this.#hasAnswered = false;
    this.messages = new Map();
    let isPrepared = false;
    return () => {
      if (isPrepared) return;
      isPrepared = true;
      this.#isPreparing = false;
      if (!this.isBusy) this.#onOpen();
    };
  }

  /** Resolves to the number of intents that may be made, at most `wanted`; to 0 when there is no space before the signal. */
  async room(wanted: number, signal: AbortSignal): Promise<number> {
    const enough = Math.min(wanted, CAPACITY_WANTED);
    if (this.#room < enough && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiting = { wanted: enough, resolve };
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    this.#waiting = undefined;
    return signal.aborted ? 0 : Math.min(wanted, this.#room);
  }

  /** Takes the space of intents that were made. */
  take(intents: number): void {
    this.#open += intents;
  }

  /** The server has answered a message. */
  answered(): void {
    if (this.#hasAnswered) return;
    this.#hasAnswered = true;
    if (!this.isBusy) this.#onOpen();
  }

  /** Gives the space of intents back that have their outcome. */
  free(intents: number): void {
    if (intents === 0) return;
    this.#open -= intents;
    if (this.#waiting !== undefined && this.#room >= this.#waiting.wanted) this.#waiting.resolve();
  }

  get #room(): number {
    return WINDOW_SENDS_MAX - this.#open;
  }
}
