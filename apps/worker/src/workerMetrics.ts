import { jobInputs } from "@headwater/contracts";
import type { Metrics } from "@headwater/kernel";

/** Creates the metrics that operators watch of a worker. */
export function createWorkerMetrics(metrics: Metrics) {
  return {
    ended: metrics.counter({
      name: "headwater_jobs_total",
      help: "Jobs that ended, by outcome.",
      labels: ["job", "status"],
      values: { job: Object.keys(jobInputs), status: ["Done", "Failed"] },
    }),
    running: metrics.gauge({ name: "headwater_jobs_running", help: "Jobs running in this process.", labels: [] }),
  };
}
