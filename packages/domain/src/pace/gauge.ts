import type { PaceLimit } from "./limits.ts";

/** Counts of what was granted, by name of the limit: pairs of a slice and its count. */
export type PaceCounts = Readonly<Record<string, readonly (readonly [slice: number, count: number])[]>>;

/** Messages that were granted under the limits of a gauge. */
export interface GaugeUse {
  readonly counts: PaceCounts;
  /** Time of the next message at an even pace, in milliseconds since 1970. */
  readonly nextMs?: number | undefined;
}

/** Limits that count together, with what was granted under them. */
export interface Gauge extends GaugeUse {
  readonly limits: readonly PaceLimit[];
}

/** Messages that may be begun now, and when more may be. */
export interface Grant {
  readonly granted: number;
  /** Time after which more may be granted; 0 where nothing else was wanted. */
  readonly waitMs: number;
  /** The first message is handed over after this time, the others one after the other, `everyMs` apart. */
  readonly startsInMs: number;
  readonly everyMs: number;
}

export interface Taken {
  readonly grant: Grant;
  /** Use of each gauge afterwards, in the order given. */
  readonly uses: readonly GaugeUse[];
}

/** An even pace is at most this far behind what was granted; more is left of a clock that was set back. */
const BEHIND_MS_MAX = 2_000;

/** Takes up to `wanted` messages, as many as every limit of every gauge has left. They count as begun at `nowMs`. */
export function takePace(gauges: readonly Gauge[], wanted: number, nowMs: number): Taken {
  const rooms = gauges.flatMap((gauge) => gauge.limits.map((limit) => roomOf(limit, gauge.counts, nowMs)));
  const granted = Math.max(0, Math.min(wanted, ...rooms.map(({ free }) => free)));
  const full = rooms.filter(({ free }) => free <= granted);
  const waitMs = granted === wanted ? 0 : Math.max(0, ...full.map((room) => room.waitMs));
  const startsInMs = Math.max(0, ...gauges.map((gauge) => startOf(gauge, nowMs) - nowMs));
  const everyMs = Math.max(0, ...gauges.map((gauge) => everyOf(gauge, nowMs)));
  const uses = granted === 0 ? gauges : gauges.map((gauge) => used(gauge, granted, nowMs));
  return { grant: { granted, waitMs, startsInMs, everyMs }, uses };
}

interface Room {
  readonly free: number;
  /** Time until something more may be free. */
  readonly waitMs: number;
}

function roomOf(limit: PaceLimit, counts: PaceCounts, nowMs: number): Room {
  const { sliceMs, slices, allowed } = limit;
  const slice = Math.floor(nowMs / sliceMs);
  const counting = keptOf(limit, counts, slice);
  const used = counting.reduce((sum, [, count]) => sum + count, 0);
  const endsInMs = (slice + 1) * sliceMs - nowMs;
  const oldest = Math.min(slice, ...counting.map(([at]) => at));
  return { free: allowed(slice) - used, waitMs: Math.max(endsInMs, (oldest + slices) * sliceMs - nowMs) };
}

/** Counts of slices to come are kept, too: the clock was set back. */
function keptOf({ name, slices }: PaceLimit, counts: PaceCounts, slice: number) {
  return (counts[name] ?? []).filter(([at]) => at > slice - slices);
}

/** Returns the time of the next message at an even pace. */
function startOf({ nextMs = 0 }: Gauge, nowMs: number): number {
  return nextMs > nowMs + BEHIND_MS_MAX ? nowMs : Math.max(nowMs, nextMs);
}

/** Returns the time between messages at an even pace; 0 where no limit asks for one. */
function everyOf({ limits }: Gauge, nowMs: number): number {
  return Math.max(0, ...limits.map(({ sliceMs, everyMs }) => everyMs?.(Math.floor(nowMs / sliceMs)) ?? 0));
}

function used(gauge: Gauge, granted: number, nowMs: number): GaugeUse {
  const everyMs = everyOf(gauge, nowMs);
  const counts = counted(gauge, granted, nowMs);
  return everyMs === 0 ? { counts } : { counts, nextMs: startOf(gauge, nowMs) + granted * everyMs };
}

function counted({ limits, counts }: Gauge, granted: number, nowMs: number): PaceCounts {
  return Object.fromEntries(
    limits.map((limit) => {
      const slice = Math.floor(nowMs / limit.sliceMs);
      const kept = keptOf(limit, counts, slice);
      const before = kept.find(([at]) => at === slice)?.[1] ?? 0;
      return [limit.name, [...kept.filter(([at]) => at !== slice), [slice, before + granted] as const]];
    }),
  );
}
