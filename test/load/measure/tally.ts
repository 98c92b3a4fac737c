import type { StoreUsage } from "./storeUsage.ts";

/** Result of one measured stretch of one side (ours or a limit). */
export interface Stretch {
  readonly events: number;
  readonly seconds: number;
  /** Processor time of the side's own processes; left out where it says nothing. */
  readonly cpuSeconds?: number;
  /** Processor time of a store, where that is counted next to our process. */
  readonly storeCpuSeconds?: number;
  /** Processor time of each store meanwhile. */
  readonly stores?: StoreUsage;
  readonly latenciesMs?: Float32Array;
  /** Processor time of the load generator. */
  readonly generatorCpuSeconds?: number;
}

/** The figures of one side, over all its stretches. */
export interface Figures {
  readonly eventsPerSecond: number;
  readonly eventsPerCoreSecond?: number;
  /** Rate by the processor time of the process alone, where a store is counted too. */
  readonly eventsPerOwnCoreSecond?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly peakMemoryMib?: number;
  /** Cores the load generator kept busy: near 1 it was the bottleneck. */
  readonly generatorCores?: number;
}

/** Adds the stretches of a side up: sums of events over sums of time, quantiles over all latencies. */
export function toFigures(stretches: readonly Stretch[], peakMemoryMib?: number): Figures {
  const sum = (of: (stretch: Stretch) => number) => stretches.reduce((total, stretch) => total + of(stretch), 0);
  const events = sum((one) => one.events);
  const seconds = sum((one) => one.seconds);
  const cpuSeconds = sum((one) => one.cpuSeconds ?? 0);
  const storeCpuSeconds = sum((one) => one.storeCpuSeconds ?? 0);
  const generatorCpuSeconds = sum((one) => one.generatorCpuSeconds ?? 0);
  const latencies = stretches
    .flatMap(({ latenciesMs }) => (latenciesMs === undefined ? [] : [...latenciesMs]))
    .sort((a, b) => a - b);
  return {
    eventsPerSecond: events / seconds,
    ...(cpuSeconds > 0 && { eventsPerCoreSecond: events / cpuSeconds }),
    ...(storeCpuSeconds > 0 && { eventsPerOwnCoreSecond: events / (cpuSeconds - storeCpuSeconds) }),
    ...(latencies.length > 0 && { p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) }),
    ...(peakMemoryMib !== undefined && { peakMemoryMib }),
    ...(generatorCpuSeconds > 0 && { generatorCores: generatorCpuSeconds / seconds }),
  };
}

/** @param sorted ascending. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
