/** Rates of a transport, as its settings have them. */
export interface TransportRates {
  readonly perSecond?: number | undefined;
  readonly windows?: readonly RollingWindow[] | undefined;
  /** Messages a second by domain of the recipient. */
  readonly perDomain?: Readonly<Record<string, number>> | undefined;
  /** Messages of a day, from the given day after the first send on. The last step holds until the plan is removed. */
  readonly warmup?: readonly { readonly day: number; readonly perDay: number }[] | undefined;
}

export interface RollingWindow {
  readonly count: number;
  readonly per: { readonly n: number; readonly unit: keyof typeof UNITS_MS };
}

/** Limit on what is granted in some slices of time in a row. */
export interface PaceLimit {
  /** Name in a gauge, unique there. */
  readonly name: string;
  readonly sliceMs: number;
  /** Slices that count together, the current one included. */
  readonly slices: number;
  /** Returns how many may be granted in them. @param slice number of the current slice since 1970. */
  readonly allowed: (slice: number) => number;
  /** Its messages go evenly through a slice, and count in that of their turn; absent: they go as they come. Such a limit has one slice. */
  readonly isSpread?: true;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UNITS_MS = { second: SECOND_MS, minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: DAY_MS, week: 7 * DAY_MS } as const;
/** Slices of a rolling window: it is never exceeded, and one slice in so many stays unused. */
const SLICES = 40;
const SLICE_MS_MIN = 25;

/**
 * Returns the limit of a rate as buckets of one second, whose messages go evenly through it. A fraction is spread: 0.5 is one message in every
 * other second.
 */
export function perSecondLimit(name: string, rateAt: (slice: number) => number): PaceLimit {
  const allowed = (slice: number) => {
    const rate = rateAt(slice);
    return Math.floor((slice + 1) * rate) - Math.floor(slice * rate);
  };
  return { name, sliceMs: SECOND_MS, slices: 1, allowed, isSpread: true };
}

/** Returns the limit of a rolling window. It holds in every stretch of time of its length, wherever it begins. */
export function rollingLimit(name: string, { count, per: { n, unit } }: RollingWindow): PaceLimit {
  const windowMs = n * UNITS_MS[unit];
  const sliceMs = Math.max(SLICE_MS_MIN, Math.ceil(windowMs / SLICES));
  return { name, sliceMs, slices: Math.ceil(windowMs / sliceMs) + 1, allowed: () => count };
}

/** Returns the limit of a plan whose first day was `startedDay`, days since 1970 in UTC. */
export function warmupLimit(plan: NonNullable<TransportRates["warmup"]>, startedDay: number): PaceLimit {
  const allowed = (slice: number) => {
    const step = plan.findLast(({ day }) => day <= slice - startedDay + 1) ?? plan[0];
    return step?.perDay ?? Number.POSITIVE_INFINITY;
  };
  return { name: "warmup", sliceMs: DAY_MS, slices: 1, allowed };
}

export function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}
