import type { PaceLimit } from "./limits.ts";

/** Counts of what was granted, by name of the limit: pairs of a slice and its count. */
export type PaceCounts = Readonly<Record<string, readonly (readonly [slice: number, count: number])[]>>;

/** Limits that count together, with what was granted under them. */
export interface Gauge {
  readonly limits: readonly PaceLimit[];
  readonly counts: PaceCounts;
}

export type Grant =
  /** `granted` messages may go out within `validForMs`; what is not used then is lost. */
  | { readonly kind: "granted"; readonly granted: number; readonly validForMs: number }
  /** Nothing is free; it may be after `waitMs`. */
  | { readonly kind: "wait"; readonly waitMs: number };

export interface Taken {
  readonly grant: Grant;
  /** Counts of each gauge afterwards, in the order given. */
  readonly counts: readonly PaceCounts[];
}

/** A lease ends after a second, whatever the limits are. */
const LEASE_MS = 1_000;

/** Takes up to `wanted` messages, as many as every limit of every gauge has left. */
export function takePace(gauges: readonly Gauge[], wanted: number, nowMs: number): Taken {
  const rooms = gauges.flatMap((gauge) => gauge.limits.map((limit) => roomOf(limit, gauge.counts, nowMs)));
  const granted = Math.min(wanted, ...rooms.map(({ free }) => free));
  if (granted <= 0) {
    const waitMs = Math.max(0, ...rooms.filter(({ free }) => free <= 0).map((room) => room.waitMs));
    return { grant: { kind: "wait", waitMs }, counts: gauges.map(({ counts }) => counts) };
  }
  const validForMs = Math.min(LEASE_MS, ...rooms.map(({ endsInMs }) => endsInMs));
  return {
    grant: { kind: "granted", granted, validForMs },
    counts: gauges.map((gauge) => counted(gauge, granted, nowMs)),
  };
}

interface Room {
  readonly free: number;
  /** Time until the current slice ends. */
  readonly endsInMs: number;
  /** Time until something may be free. */
  readonly waitMs: number;
}

function roomOf(limit: PaceLimit, counts: PaceCounts, nowMs: number): Room {
  const { sliceMs, slices, allowed } = limit;
  const slice = Math.floor(nowMs / sliceMs);
  const counting = keptOf(limit, counts, slice);
  const used = counting.reduce((sum, [, count]) => sum + count, 0);
  const endsInMs = (slice + 1) * sliceMs - nowMs;
  const oldest = Math.min(slice, ...counting.map(([at]) => at));
  return { free: allowed(slice) - used, endsInMs, waitMs: Math.max(endsInMs, (oldest + slices) * sliceMs - nowMs) };
}

/** Counts of slices to come are kept, too: the clock was set back. */
function keptOf({ name, slices }: PaceLimit, counts: PaceCounts, slice: number) {
  return (counts[name] ?? []).filter(([at]) => at > slice - slices);
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
