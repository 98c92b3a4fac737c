import type { Metrics } from "@headwater/kernel";
import type { ProducerObserver } from "@headwater/topics";

/** What the producer does, as metrics. */
export function observeProducer(metrics: Metrics): ProducerObserver {
  let queuedBytes = 0;
  metrics.gauge({
    name: "headwater_ingress_queued_bytes",
    help: "Bytes of records that wait for the log or are on their way to it.",
    collect: (gauge) => gauge.set(queuedBytes),
  });
  const seconds = metrics.histogram({
    name: "headwater_ingress_send_seconds",
    help: "Time of one send to the log, by outcome.",
    labels: ["outcome"],
  });
  const messages = metrics.counter({ name: "headwater_ingress_messages_total", help: "Frames the log acknowledged." });
  return {
    queued(bytes) {
      queuedBytes = bytes;
    },
    sent(send) {
      seconds.observe({ outcome: "written" }, send.durationMs / 1_000);
      messages.inc(send.messages);
    },
    failed: ({ durationMs }) => seconds.observe({ outcome: "failed" }, durationMs / 1_000),
  };
}
