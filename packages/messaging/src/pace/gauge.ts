import type { PaceLimit } from "./limits.ts";
import { type SpreadLimit, type TakenPositions, takeTurns } from "./turns.ts";

/** Counts of what was granted, by name of the limit: pairs of a slice and its count. */
export type PaceCounts = Readonly<Record<string, readonly (readonly [slice: number, count: number])[]>>;

/** Messages that were granted under the limits of a gauge. */
export interface GaugeUse {
  readonly counts: PaceCounts;
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
  /** Times after which the messages are handed over, one for each that was granted. */
  readonly turnsInMs: readonly number[];
}

export interface Taken {
  readonly grant: Grant;
  /** Use of each gauge afterwards, in the order given. */
  readonly uses: readonly GaugeUse[];
}

/**
 * Takes up to `wanted` messages, as many as every limit of every gauge has left. They count as begun at `nowMs`; under a rate a second they
 * count in the second of their turn.
 */
export function takePace(gauges: readonly Gauge[], wanted: number, nowMs: number): Taken {
  const capacities = gauges.flatMap(({ limits, counts }) =>
    countedOf(limits).map((limit) => capacityOf(limit, counts, nowMs)),
  );
  const allowed = Math.max(0, Math.min(wanted, ...capacities.map(({ free }) => free)));
  const spread = gauges.flatMap(({ limits, counts }): SpreadLimit[] =>
    spreadOf(limits).map((limit) => ({ limit, taken: counts[limit.name] ?? [] })),
  );
  const { turns, waitMs, taken } = takeTurns(spread, allowed, nowMs);
  const positions = new Map(spread.map(({ limit }, index) => [limit, taken[index] ?? []]));
  const granted = turns.length;
  const full = capacities.filter(({ free }) => free <= granted);
  const waits = [waitMs, ...(granted === wanted ? [] : full.map((capacity) => capacity.waitMs))];
  const uses = gauges.map((gauge) => (granted === 0 ? gauge : used(gauge, { granted, nowMs, places: positions })));
  return { grant: { granted, waitMs: Math.max(0, ...waits), turnsInMs: turns.map((atMs) => atMs - nowMs) }, uses };
}

/** Returns the limits whose messages count when they are granted. */
function countedOf(limits: readonly PaceLimit[]): readonly PaceLimit[] {
  return limits.filter(({ isSpread }) => !isSpread);
}

/** Returns the limits whose messages count in the slice of their turn. */
function spreadOf(limits: readonly PaceLimit[]): readonly PaceLimit[] {
  return limits.filter(({ isSpread }) => isSpread);
}

interface Capacity {
  readonly free: number;
  /** Time until something more may be free. */
  readonly waitMs: number;
}

function capacityOf(limit: PaceLimit, counts: PaceCounts, nowMs: number): Capacity {
  const { sliceMs, slices, allowed } = limit;
  const slice = Math.floor(nowMs / sliceMs);
  const counting = storedOf(limit, counts, slice);
  const used = counting.reduce((sum, [, count]) => sum + count, 0);
  const endsInMs = (slice + 1) * sliceMs - nowMs;
  const oldest = Math.min(slice, ...counting.map(([at]) => at));
  return { free: allowed(slice) - used, waitMs: Math.max(endsInMs, (oldest + slices) * sliceMs - nowMs) };
}

/** Counts of slices to come are kept, too: the clock was set back. */
function storedOf({ name, slices }: PaceLimit, counts: PaceCounts, slice: number) {
  return (counts[name] ?? []).filter(([at]) => at > slice - slices);
}

interface Using {
  readonly granted: number;
  readonly nowMs: number;
  /** Places that are taken of the limits that are spread. */
  readonly places: ReadonlyMap<PaceLimit, TakenPositions>;
}

function used({ limits, counts }: Gauge, { granted, nowMs, places }: Using): GaugeUse {
  const counted = countedOf(limits).map((limit) => {
    const slice = Math.floor(nowMs / limit.sliceMs);
    const stored = storedOf(limit, counts, slice);
    const before = stored.find(([at]) => at === slice)?.[1] ?? 0;
    return [limit.name, [...stored.filter(([at]) => at !== slice), [slice, before + granted] as const]] as const;
  });
  const spread = spreadOf(limits).map((limit) => [limit.name, places.get(limit) ?? []] as const);
  return { counts: Object.fromEntries([...counted, ...spread]) };
}
