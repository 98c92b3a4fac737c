import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock, FairGate, FlowKey } from "@headwater/kernel";

/** Asked again and again until the answer is yes. */
export type IsConsistent = () => Promise<boolean>;

export interface Wait {
  /** The account that waits. */
  readonly flow: FlowKey;
  readonly timeoutMs: number;
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal;
}

/** Everybody who waits until something is consistent. */
export interface Waits {
  /**
   * Asks again until the answer is yes; false when the time is up or the client has gone away.
   * @throws HeadwaterError 429 when the account has as many waits as it may.
   */
  until(isConsistent: IsConsistent, wait: Wait): Promise<boolean>;
}

export interface WaitsOptions {
  /** Bounds waits, of an account and of all. */
  readonly gate: FairGate;
  readonly clock: Clock;
}

interface Waiter extends Wait {
  readonly isConsistent: IsConsistent;
  readonly endMs: number;
  readonly answered: PromiseWithResolvers<boolean>;
  isAsking: boolean;
}

const POLL_MS = 25;

/**
 * One timer for all waits: each tick asks for all of them at once, so that they share their reads of the stores. A check that
 * takes its time holds up nobody but who asked for it.
 */
export function createWaits({ gate, clock }: WaitsOptions): Waits {
  const waiters = new Set<Waiter>();
  let isTicking = false;

  function tick(): void {
    for (const waiter of waiters) if (!waiter.isAsking) void ask(waiter);
    isTicking = waiters.size > 0;
    if (isTicking) setTimeout(tick, POLL_MS);
  }

  async function ask(waiter: Waiter): Promise<void> {
    waiter.isAsking = true;
    try {
      if (await waiter.isConsistent()) end(waiter, true);
      else if (waiter.signal.aborted || clock.monotonicMs() + POLL_MS > waiter.endMs) end(waiter, false);
    } catch (error) {
      waiters.delete(waiter);
      waiter.answered.reject(error);
    }
    waiter.isAsking = false;
  }

  function end(waiter: Waiter, isConsistent: boolean): void {
    waiters.delete(waiter);
    waiter.answered.resolve(isConsistent);
  }

  function join(asked: IsConsistent, wait: Wait): Promise<boolean> {
    // The timer is started by whoever waits first; what a waiter asks for is still its own account's work.
    const isConsistent = AsyncLocalStorage.bind(asked);
    const answered = Promise.withResolvers<boolean>();
    waiters.add({ ...wait, isConsistent, endMs: clock.monotonicMs() + wait.timeoutMs, answered, isAsking: false });
    if (!isTicking) setTimeout(tick, POLL_MS);
    isTicking = true;
    return answered.promise;
  }

  return {
    async until(isConsistent, wait) {
      if (await isConsistent()) return true;
      return wait.timeoutMs < POLL_MS ? false : gate.run(wait.flow, () => join(isConsistent, wait));
    },
  };
}
