import type { Metrics } from "@headwater/kernel";
import type { Run } from "../orchestrations/run.ts";

const STATES = [
  "entering",
  "waiting",
  "completed",
  "exited",
  "failed",
  "holdout",
] as const satisfies readonly Run["state"][];

export type RunMetrics = ReturnType<typeof createRunMetrics>;

/** Creates the metrics of the runs of orchestrations. */
export function createRunMetrics(metrics: Metrics) {
  const runs = metrics.gauge({ name: "headwater_runs", help: "Runs of orchestrations by state.", labels: ["state"] });
  const oldest = metrics.gauge({
    name: "headwater_runs_oldest_due_seconds",
    help: "Age of the run that is due and waits longest; 0 while none is due. Alert when it keeps growing.",
  });
  const behind = metrics.gauge({
    name: "headwater_facts_behind_seconds",
    help: "Age of what runs have yet to be given: timers wait for it.",
  });
  return {
    inputs: metrics.counter({
      name: "headwater_run_steps_total",
      help: "Facts, times, answers and outcomes that runs took.",
    }),
    quarantined: metrics.counter({
      name: "headwater_facts_quarantined_total",
      help: "Change events that broke a run or are none. Alert on any.",
    }),
    showRuns(counts: readonly { readonly state: Run["state"]; readonly runs: number }[]) {
      for (const state of STATES) runs.set({ state }, counts.find((one) => one.state === state)?.runs ?? 0);
    },
    /** @param dueAt milliseconds since 1970; undefined while no run waits for a time. */
    showOldestDue: (dueAt: number | undefined, nowMs: number) =>
      oldest.set(dueAt === undefined ? 0 : Math.max(0, nowMs - dueAt) / 1_000),
    showBehind: (factsMs: number, nowMs: number) =>
      behind.set(factsMs === 0 ? 0 : Math.max(0, nowMs - factsMs) / 1_000),
  };
}
