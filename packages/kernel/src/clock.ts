/** Source of time, so that tests can set it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 (UTC), whole. It can jump. */
  nowMs(): number;
  /** Milliseconds from an arbitrary start that never go back: for durations, deadlines and claims. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** A point in time on both clocks, to measure an age from. */
export interface Moment {
  readonly nowMs: number;
  readonly monotonicMs: number;
}

export function instantOf(clock: Clock): Moment {
  return { nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
}

/**
 * Returns the milliseconds since an instant, by the clock that counted more: the monotonic clock stands still while the machine is
 * suspended or its virtual machine paused, and the wall clock may be set back.
 */
export function ageMs(clock: Clock, since: Moment): number {
  return Math.max(clock.nowMs() - since.nowMs, clock.monotonicMs() - since.monotonicMs);
}

export interface ManualClock extends Clock {
  /** Moves both times forward. */
  advance(ms: number): void;
  /** Sets the wall clock alone, as an operator or NTP would. */
  setNowMs(ms: number): void;
}

/** A clock that stands still until it is moved. */
export function manualClock(startMs = 0): ManualClock {
  let nowMs = startMs;
  // Like the clock of a process, it is never 0: caches take that for no time.
  let monotonicMs = 1;
  return {
    nowMs: () => nowMs,
    monotonicMs: () => monotonicMs,
    advance(ms) {
      nowMs += ms;
      monotonicMs += ms;
    },
    setNowMs(ms) {
      nowMs = ms;
    },
  };
}
