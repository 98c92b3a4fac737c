import { jobInputs, jobStatuses } from "@headwater/contracts";
import { REDRIVE_JOB } from "@headwater/stores/jobs";
import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { bound, listQuery, storableText } from "../../paging/query.ts";
import { include, jobExample, jobShape } from "../jobSchema.ts";

/** Names of the language of jobs of which this service has no kind yet. */
const UNUSED_NAMES = ["DataAutomationProcessList", "DeleteContacts"];
const jobNames = [...Object.keys(jobInputs), REDRIVE_JOB, ...UNUSED_NAMES].sort();

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.literal("id").optional(),
  jobName: z.enum(jobNames).optional(),
  status: z.enum(jobStatuses).optional(),
  "times[start][gt]": bound,
  "times[start][gte]": bound,
  "times[start][lt]": bound,
  "times[start][lte]": bound,
  "times[end][gt]": bound,
  "times[end][gte]": bound,
  "times[end][lt]": bound,
  "times[end][lte]": bound,
  include,
});
export type JobsQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({ createdAt: z.number().int(), id: storableText(64) });

export const jobsAnswer = pageOf(jobShape.partial());
export const jobsExample = { data: [jobExample], pagination: { per_page: 25, page: 1, next_cursor: null } };
