import { z } from "zod";

/** Imports whose rows become records of the log; products are written with the progress of their step. */
const LOGGED = new Set([
  ...["ImportActivities", "ImportContacts", "ImportOrders", "ImportSupplements"],
  "DataAutomationProcessList",
]);
const input = z.object({ dryRun: z.boolean().optional() });
/** Phases of an import that has its source: rows may be in the log, also some that no step has reported yet. */
const progress = z.object({ phase: z.enum(["rows", "settle", "collect"]) });

/** Returns whether rows of a job may be in the log: what becomes of them is counted by the state, whether the job goes on or not. */
export function hasRowsInLog(job: {
  readonly name: string;
  readonly input: unknown;
  readonly progress: unknown;
}): boolean {
  if (!LOGGED.has(job.name) || !progress.safeParse(job.progress).success) return false;
  return input.safeParse(job.input).data?.dryRun !== true;
}
