import type { Metrics } from "@headwater/kernel";
import type { StreamConsumer } from "@headwater/topics";

/** What operators watch of a projector. */
export function createProjectorMetrics(
  metrics: Metrics,
  consumers: () => readonly { readonly group: string; readonly consumer: StreamConsumer }[],
) {
  metrics.gauge({
    name: "headwater_lag_frames",
    help: "Frames of a partition that a group has not dealt with yet.",
    labels: ["group", "topic", "partition"],
    collect(gauge) {
      gauge.reset();
      for (const { group, consumer } of consumers()) {
        for (const { topic, partition, offset, highWatermark } of consumer.positions()) {
          gauge.set({ group, topic, partition: String(partition) }, Math.max(0, highWatermark - offset));
        }
      }
    },
  });
  metrics.gauge({
    name: "headwater_log_held",
    help: "1 for a partition that a group does not read because its log is not the one that was read before.",
    labels: ["group", "topic", "partition"],
    collect(gauge) {
      gauge.reset();
      for (const { group, consumer } of consumers()) {
        for (const { topic, partition } of consumer.held())
          gauge.set({ group, topic, partition: String(partition) }, 1);
      }
    },
  });
  return {
    outcomes: metrics.counter({
      name: "headwater_records_total",
      help: "Records by what became of them.",
      labels: ["operation", "outcome"],
    }),
    quarantined: metrics.counter({
      name: "headwater_quarantined_total",
      help: "Poison records and change events that were quarantined behind the state: alert on any.",
      labels: ["group"],
    }),
    inserted: metrics.counter({
      name: "headwater_clickhouse_rows_total",
      help: "Rows written to ClickHouse.",
      labels: ["group"],
    }),
  };
}
