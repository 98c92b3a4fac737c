import { createSlotShares, type SlotShares } from "@headwater/kernel";
import type { SendKey } from "../sends/sendRow.ts";
import { Queue } from "./queue.ts";

type MessageKey = Pick<SendKey, "account" | "message">;

/** A window of an account in the queue of this name. */
export interface QueueWindow {
  readonly account: number;
  readonly name: string;
  readonly messages: readonly MessageKey[];
}

/** Runs a window in its queue, and calls `prepared` when nothing of it waits for its intent any more. */
type Run = (queue: Queue, prepared: () => void) => Promise<void>;

/**
 * Windows of a process that are under way, in a queue for each transport and classification: a server that hangs holds up nothing but its own,
 * and no promotional message stands before a transactional one.
 */
export class Queues {
  readonly #lanes = new Map<string, Queue>();
  readonly #shares: SlotShares<number>;
  #failures: unknown[] = [];
  #changed = Promise.withResolvers<void>();

  constructor(queuesMax: number) {
    this.#shares = createSlotShares(queuesMax);
  }

  get size(): number {
    return this.#lanes.size;
  }

  isBusy(name: string): boolean {
    return this.#lanes.get(name)?.isBusy === true;
  }

  /** Returns whether the account may have a window in the queue: it is open already, or the account may open another one. */
  admits(account: number, name: string): boolean {
    return this.#lanes.has(name) || this.#shares.admits(account);
  }

  /** Accounts that may open no other queue. */
  get fullAccounts(): ReadonlySet<number> {
    return this.#shares.full();
  }

  /** Messages that are known to go by a queue that is busy: there is no use in claiming their sends. */
  get messages(): MessageKey[] {
    return [...this.#lanes.values()].flatMap(({ isBusy, messages }) => (isBusy ? [...messages.values()] : []));
  }

  /** Adds messages that turned out to go by a busy queue. */
  note(name: string, messages: readonly MessageKey[]): void {
    for (const one of messages) this.#lanes.get(name)?.messages.set(`${one.account} ${one.message}`, one);
  }

  /**
   * Runs a window in a queue that is not busy.
   * @returns a promise that rejects as the window fails; whoever does not wait for it finds the failure by `rethrow`.
   */
  run({ account, name, messages }: QueueWindow, window: Run): Promise<void> {
    const lane = this.#lanes.get(name) ?? this.#openLane(account, name);
    const prepared = lane.begin();
    this.note(name, messages);
    const ended = window(lane, prepared).finally(() => {
      prepared();
      lane.running.delete(running);
      if (lane.running.size === 0) this.#closeLane(account, name);
      this.#change();
    });
    const running = ended.catch((error: unknown) => void this.#failures.push(error));
    lane.running.add(running);
    return ended;
  }

  /** Throws the oldest failure of a window, once. */
  rethrow(): void {
    const [failure, ...others] = this.#failures;
    this.#failures = others;
    if (failure !== undefined) throw failure;
  }

  /** Resolves when a window has ended or a queue may take another one, at once when none is under way. */
  async next(): Promise<void> {
    if (this.size > 0) await this.#changed.promise;
  }

  /** Resolves when no window is under way. */
  async empty(): Promise<void> {
    await Promise.all([...this.#lanes.values()].flatMap(({ running }) => [...running]));
  }

  #openLane(account: number, name: string): Queue {
    const lane = new Queue(() => this.#change());
    this.#lanes.set(name, lane);
    this.#shares.take(account);
    return lane;
  }

  #closeLane(account: number, name: string): void {
    this.#lanes.delete(name);
    this.#shares.give(account);
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
