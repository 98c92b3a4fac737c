import { storageAway, storageRefused } from "./storageFailure.ts";

/** Bounds of how slow a storage or a link may be: whoever waits for one holds a slot of a worker. */
export interface LeastRateLimits {
  /** Least rate in bytes a second. */
  readonly bytesPerSecond: number;
  /** Time by which it may fall behind that rate. */
  readonly behindMs: number;
  /** Bytes that were handed over and may still be on their way. */
  readonly bufferedBytesMax: number;
}

const NOTHING_BUFFERED = 0;
export const storageRate = { bytesPerSecond: 32 * 1024, behindMs: 60_000, bufferedBytesMax: NOTHING_BUFFERED } as const;

/**
 * Measures the time that is spent waiting for a storage against the bytes that it moves: bytes earn time, at most `behindMs` of it, and waiting
 * spends it. Time in which it waits for us costs nothing.
 */
export class LeastRate {
  readonly #limits: LeastRateLimits;
  readonly #leftMsMax: number;
  #leftMs: number;

  constructor(limits: LeastRateLimits) {
    this.#limits = limits;
    this.#leftMsMax = limits.behindMs + this.#msOf(limits.bufferedBytesMax);
    this.#leftMs = limits.behindMs;
  }

  /** Notes bytes that were moved. */
  moved(bytes: number): void {
    this.#leftMs = Math.min(this.#leftMsMax, this.#leftMs + this.#msOf(bytes));
  }

  /**
   * Waits for a call.
   * @param giveUp ends the call when its time is over; nobody waits for it any more.
   * @throws HeadwaterError `STORAGE_CONNECTION_ERROR`: final for who is too slow, retriable for who moved nothing in most of that time.
   */
  async wait<Result>(call: () => Promise<Result>, giveUp: (reason: Error) => void): Promise<Result> {
    const began = performance.now();
    const { promise: over, reject } = Promise.withResolvers<never>();
    const isSilent = this.#leftMs >= this.#limits.behindMs / 2;
    const timer = setTimeout(() => {
      const error = isSilent ? storageAway("timed out") : storageRefused("tooSlow");
      giveUp(error);
      reject(error);
    }, this.#leftMs);
    try {
      return await Promise.race([over, call()]);
    } finally {
      clearTimeout(timer);
      this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - began));
    }
  }

  #msOf(bytes: number): number {
    return (1_000 * bytes) / this.#limits.bytesPerSecond;
  }
}
