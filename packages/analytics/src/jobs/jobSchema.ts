import { jobStatuses } from "@headwater/contracts";
import { z } from "zod";

const count = z.number().int();

export const jobShape = z.strictObject({
  id: z.string(),
  jobName: z.string(),
  status: z.enum(jobStatuses),
  totalItems: count,
  completedItems: count,
  times: z.strictObject({ start: z.string().nullable(), end: z.string().nullable() }),
  result: z.strictObject({
    totalRecords: count,
    inserted: count,
    updated: count,
    rejected: count,
    error: count,
    ignored: count,
  }),
  /**
   * Facts by kind of job. `error`: why it failed. `counting`: the import was canceled, and rows of it that are in the log have no end yet;
   * the counts rise until each of them has. For a redrive, `receipt`: as soon as all its records are in the log; `refused`: the
   * number that validation refused: they are open still, and the job's rejections and their history say why.
   */
  metadata: z.record(z.string(), z.unknown()),
  /** Present with `include=statistic`. */
  statistic: z.record(z.string(), z.unknown()).optional(),
});

export const JOB_MEMBERS = [
  "id",
  "jobName",
  "status",
  "totalItems",
  "completedItems",
  "times",
  "result",
  "metadata",
  "statistic",
] as const;

export const jobExample = {
  id: "65f0c0ffee65f0c0ffee0001",
  jobName: "ClearList",
  status: "Done",
  totalItems: 120,
  completedItems: 120,
  times: { start: "2026-01-09T22:47:12.000Z", end: "2026-01-09T22:47:13.000Z" },
  result: { totalRecords: 120, inserted: 0, updated: 120, rejected: 0, error: 0, ignored: 0 },
  metadata: { list: 1 },
};

/** `include` of the reads of jobs. */
export const include = z.literal("statistic").optional();

/** Answer to the call that starts a job. */
export const jobStarted = z.strictObject({
  jobId: z.string(),
  /** Options that this installation cannot serve. */
  warnings: z.array(z.strictObject({ code: z.string(), path: z.string().optional(), message: z.string() })).optional(),
});
export const jobStartedExample = { jobId: "65f0c0ffee65f0c0ffee0001" };
