import type { Clock } from "@headwater/kernel";

export interface WatchedBody {
  /** Bytes received so far. */
  receivedBytes(): number;
  /** Called once when the body is too slow. */
  tooSlow(): void;
  /** It may take as long as it likes, at the least speed. */
  readonly isLong?: boolean;
}

export interface BodyWatch {
  add(body: WatchedBody): () => void;
  stop(): void;
}

export interface BodyWatchOptions {
  readonly clock: Clock;
  /** A body is complete after so long. */
  readonly bodyTimeoutMs: number;
  /** Every window of so long brings at least `bytesPerSecondMin` a second. */
  readonly windowMs: number;
  readonly bytesPerSecondMin: number;
  readonly checkEveryMs?: number;
}

interface Watched {
  readonly body: WatchedBody;
  startedMs: number;
  windowStartedMs: number;
  windowFromBytes: number;
}

/**
 * Ends the bodies of slow clients: one timer for all of them, since almost none is there when it fires. Time in which the process itself was
 * too busy to read does not count: the timer fires late by as much.
 */
export function createBodyWatch(options: BodyWatchOptions): BodyWatch {
  const { clock, bodyTimeoutMs, windowMs, bytesPerSecondMin, checkEveryMs = 250 } = options;
  const watched = new Set<Watched>();
  const windowBytesMin = (bytesPerSecondMin * windowMs) / 1_000;

  function isTooSlow(entry: Watched, nowMs: number): boolean {
    if (entry.body.isLong !== true && nowMs - entry.startedMs >= bodyTimeoutMs) return true;
    if (nowMs - entry.windowStartedMs < windowMs) return false;
    const received = entry.body.receivedBytes();
    if (received - entry.windowFromBytes < windowBytesMin) return true;
    entry.windowStartedMs = nowMs;
    entry.windowFromBytes = received;
    return false;
  }

  let dueAtMs = clock.monotonicMs() + checkEveryMs;
  const timer = setInterval(() => {
    const nowMs = clock.monotonicMs();
    const lateMs = Math.max(0, nowMs - dueAtMs);
    dueAtMs = nowMs + checkEveryMs;
    for (const entry of watched) {
      entry.startedMs = Math.min(nowMs, entry.startedMs + lateMs);
      entry.windowStartedMs = Math.min(nowMs, entry.windowStartedMs + lateMs);
      if (!isTooSlow(entry, nowMs)) continue;
      watched.delete(entry);
      entry.body.tooSlow();
    }
  }, checkEveryMs).unref();

  return {
    add(body) {
      const startedMs = clock.monotonicMs();
      const entry: Watched = { body, startedMs, windowStartedMs: startedMs, windowFromBytes: body.receivedBytes() };
      watched.add(entry);
      return () => void watched.delete(entry);
    },
    stop: () => clearInterval(timer),
  };
}
