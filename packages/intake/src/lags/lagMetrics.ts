import { createCachedCheck } from "@headwater/api/consistency/cachedCheck";
import type { Clock, Gauge, Logger, Metrics } from "@headwater/kernel";
import type { PartitionLag } from "./lags.ts";

const LABELS = ["group", "topic", "partition"] as const;
type Label = (typeof LABELS)[number];
/** Both gauges of one scrape show one look. */
const CACHED_MS = 1_000;
/** Limit of a scrape's wait. A collector of the metrics of all apps gives each two seconds. */
const WAIT_MS = 1_000;

export interface LagMetricsOptions {
  readonly metrics: Metrics;
  readonly readLags: () => Promise<readonly PartitionLag[]>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Registers the gauges by which operators watch the consumer groups. The service measures them, so that they are there when no projector
 * runs, too.
 */
export function createLagMetrics({ metrics, readLags, clock, logger }: LagMetricsOptions): void {
  const check = createCachedCheck({ read: readLags, keptMs: CACHED_MS, waitMs: WAIT_MS, what: "lags", clock, logger });
  const show = (of: (lag: PartitionLag) => number) => async (gauge: Gauge<Label>) => {
    const lags = (await check()) ?? [];
    gauge.reset();
    for (const lag of lags) {
      const { group, topic, partition } = lag;
      gauge.set({ group, topic, partition: String(partition) }, of(lag));
    }
  };
  metrics.gauge({
    name: "headwater_lag_records",
    help: "Records of a partition that a group has not processed yet; messages on change topics.",
    labels: LABELS,
    collect: show(({ records }) => records),
  });
  metrics.gauge({
    name: "headwater_lag_seconds",
    help: "Age of the next record or message that a group will process.",
    labels: LABELS,
    collect: show(({ seconds }) => seconds),
  });
}
