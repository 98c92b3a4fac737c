import type { Metrics } from "@headwater/kernel";

/** What operators watch of a worker. */
export function createWorkerMetrics(metrics: Metrics) {
  return {
    ended: metrics.counter({
      name: "headwater_jobs_total",
      help: "Jobs that came to their end.",
      labels: ["job", "status"],
    }),
    running: metrics.gauge({ name: "headwater_jobs_running", help: "Jobs that this process works on.", labels: [] }),
  };
}
