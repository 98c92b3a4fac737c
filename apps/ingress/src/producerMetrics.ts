import type { Metrics } from "@headwater/kernel";
import type { ProducerObserver } from "@headwater/topics";

/** Reports what the producer does as metrics. */
export function observeProducer(metrics: Metrics): ProducerObserver {
  let queuedBytes = 0;
  metrics.gauge({
    name: "headwater_ingress_queued_bytes",
    help: "Bytes of records queued or in flight to Kafka.",
    collect: (gauge) => gauge.set(queuedBytes),
  });
  let clockMs = 0;
  metrics.gauge({
    name: "headwater_ingress_kafka_clock_seconds",
    help: "Seconds that Kafka's clock is ahead of this process's, by the last send; negative when it is behind.",
    collect: (gauge) => gauge.set(clockMs / 1_000),
  });
  const seconds = metrics.histogram({
    name: "headwater_ingress_send_seconds",
    help: "Duration of a send to Kafka, by outcome.",
    labels: ["outcome"],
  });
  const messages = metrics.counter({ name: "headwater_ingress_messages_total", help: "Frames acknowledged by Kafka." });
  return {
    queued(bytes) {
      queuedBytes = bytes;
    },
    brokerClock(differenceMs) {
      clockMs = differenceMs;
    },
    sent(send) {
      seconds.observe({ outcome: "written" }, send.durationMs / 1_000);
      messages.inc(send.messages);
    },
    failed: ({ durationMs }) => seconds.observe({ outcome: "failed" }, durationMs / 1_000),
  };
}
