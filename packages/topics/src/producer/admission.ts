import { type Clock, overShare } from "@headwater/kernel";
import { unavailable } from "../kafka/unavailable.ts";
import type { DrainRate } from "./drainRate.ts";
import type { FrameBatcher } from "./frameBatcher.ts";

export interface AdmissionOptions {
  readonly batcher: Pick<FrameBatcher, "share" | "waiting">;
  readonly drainRate: DrainRate;
  /** The send that has no answer yet. */
  readonly underWay: () => { readonly bytes: number; readonly sinceMs: number };
  /** Bytes that may wait or be under way. */
  readonly bytesMax: number;
  readonly clock: Clock;
}

/** Says who may put more into the queue. */
export interface Admission {
  /** @throws HeadwaterError 429 when the account has its share waiting while others wait, 503 when the buffer is full. */
  refuseWhenFull(account: string, wantedBytes: number): void;
  backlog(account: string): { readonly bytes: number; readonly waitMs: number; readonly isShared: boolean };
}

/**
 * An account may have as much waiting as is left free: one alone half of the buffer, two a third each, and who comes new finds
 * space always (Choudhury and Hahne, 1998: dynamic queue length thresholds).
 */
export function createAdmission({ batcher, drainRate, underWay, bytesMax, clock }: AdmissionOptions): Admission {
  /** Returns the time until what the account has waiting is sent, at the rate of late and with all who wait taking turns. */
  function waitMsOf(account: string): number {
    const { bytes, accounts } = batcher.share(account);
    const { bytes: sentBytes, sinceMs } = underWay();
    const rate = drainRate.bytesPerMs({ bytes: sentBytes, sinceMs: clock.monotonicMs() - sinceMs });
    return rate === undefined ? 0 : Math.min(bytes * accounts, batcher.waiting().bytes) / rate;
  }

  return {
    refuseWhenFull(account, wantedBytes) {
      const own = batcher.share(account).bytes;
      const all = batcher.waiting().bytes;
      if (own + wantedBytes <= bytesMax - all - underWay().bytes) return;
      if (own > 0 && all > own) throw overShare("records");
      throw unavailable("The record log is overloaded. Retry later.", 1);
    },
    backlog(account) {
      const { bytes } = batcher.share(account);
      return { bytes, waitMs: waitMsOf(account), isShared: batcher.waiting().bytes > bytes };
    },
  };
}
