import type { SendKey } from "@headwater/stores/sends";

type MessageKey = Pick<SendKey, "account" | "message">;

/** A window that is under way. */
interface Lane {
  readonly messages: Map<string, MessageKey>;
  readonly running: Promise<void>;
}

/** Windows of a process that are under way: one for each transport, so that a server that hangs holds up nothing but its own. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  #failures: unknown[] = [];

  get size(): number {
    return this.#lanes.size;
  }

  isBusy(name: string): boolean {
    return this.#lanes.has(name);
  }

  /** Messages that are known to go by a transport whose window is under way: there is no use in claiming their sends. */
  get messages(): MessageKey[] {
    return [...this.#lanes.values()].flatMap(({ messages }) => [...messages.values()]);
  }

  /** Adds messages that turned out to go by a busy transport. */
  note(name: string, messages: readonly MessageKey[]): void {
    for (const one of messages) this.#lanes.get(name)?.messages.set(`${one.account} ${one.message}`, one);
  }

  /** Runs a window. @returns a promise that rejects as the window fails; whoever does not wait for it finds the failure by `rethrow`. */
  run(name: string, messages: readonly MessageKey[], window: () => Promise<void>): Promise<void> {
    const ended = window().finally(() => this.#lanes.delete(name));
    const running = ended.catch((error: unknown) => void this.#failures.push(error));
    this.#lanes.set(name, { messages: new Map(), running });
    this.note(name, messages);
    return ended;
  }

  /** Throws the oldest failure of a window, once. */
  rethrow(): void {
    const [failure, ...others] = this.#failures;
    this.#failures = others;
    if (failure !== undefined) throw failure;
  }

  /** Resolves with the end of the next window, at once when none is under way. */
  async next(): Promise<void> {
    if (this.size > 0) await Promise.race([...this.#lanes.values()].map(({ running }) => running));
  }

  /** Resolves when no window is under way. */
  async empty(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map(({ running }) => running));
  }
}
