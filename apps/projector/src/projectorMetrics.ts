import { PROJECTOR_GROUPS, topology } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { HeadwaterError, type Metrics } from "@headwater/kernel";
import type { RunnerObserver, StreamConsumer } from "@headwater/topics";

/** Label of errors that are not of ours. */
const OTHER_CODE = "OTHER";

const SINK_GROUPS = topology.flatMap(({ group, writes }) =>
  writes.some((one) => one === "clickhouse") ? [group] : [],
);

export type ProjectorMetrics = ReturnType<typeof createProjectorMetrics>;

/** Creates the metrics of a projector. */
export function createProjectorMetrics(
  metrics: Metrics,
  consumers: () => readonly { readonly group: string; readonly consumer: StreamConsumer }[],
) {
  metrics.gauge({
    name: "headwater_lag_frames",
    help: "Frames of a partition that a group has not processed yet.",
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
    help: "1 while a group holds a partition because its log was truncated or recreated.",
    labels: ["group", "topic", "partition"],
    collect(gauge) {
      gauge.reset();
      for (const { group, consumer } of consumers()) {
        for (const { topic, partition } of consumer.held())
          gauge.set({ group, topic, partition: String(partition) }, 1);
      }
    },
  });
  const batchSeconds = metrics.histogram({
    name: "headwater_batch_seconds",
    help: "How long a group works on one batch of a partition, failed ones included.",
    labels: ["group"],
  });
  const batchFrames = metrics.counter({
    name: "headwater_batch_frames_total",
    help: "Frames handed to a group, those of failed batches included.",
    labels: ["group"],
    values: { group: PROJECTOR_GROUPS },
  });
  const retries = metrics.counter({
    name: "headwater_retries_total",
    help: "Attempts of a group that failed for what may pass, by error code: alert when it keeps growing.",
    labels: ["group", "code"],
    values: { group: PROJECTOR_GROUPS, code: ["SERVICE_UNAVAILABLE", "SCHEMA_AHEAD", OTHER_CODE] },
  });
  return {
    observerOf: (group: string): RunnerObserver => ({
      batch({ durationMs, frames }) {
        batchSeconds.observe({ group }, durationMs / 1_000);
        batchFrames.inc({ group }, frames);
      },
      retry: (error) => retries.inc({ group, code: error instanceof HeadwaterError ? error.code : OTHER_CODE }),
    }),
    ...createCounters(metrics),
  };
}

function createCounters(metrics: Metrics) {
  return {
    outcomes: metrics.counter({
      name: "headwater_records_total",
      help: "Records by outcome.",
      labels: ["operation", "outcome"],
      values: { operation: loggedOperations.map(({ name }) => name), outcome: ["applied", "skipped", "rejected"] },
    }),
    uncompared: metrics.counter({
      name: "headwater_triggers_uncompared_total",
      help: "Event triggers with which activities of a batch were not compared because that cost too much.",
    }),
    quarantined: metrics.counter({
      name: "headwater_quarantined_total",
      help: "Foreign messages, and poison records and change events that were quarantined. Alert on any.",
      labels: ["group"],
      values: { group: [...PROJECTOR_GROUPS, "relay"] },
    }),
    inserted: metrics.counter({
      name: "headwater_clickhouse_rows_total",
      help: "Rows written to ClickHouse.",
      labels: ["group"],
      values: { group: SINK_GROUPS },
    }),
  };
}
