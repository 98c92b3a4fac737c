import { z } from "zod";

/** Spelt as answers show them. */
export const jobStatuses = ["Scheduled", "Pending", "Processing", "Throttled", "Done", "Failed", "Canceled"] as const;
export type JobStatus = (typeof jobStatuses)[number];

const finalStatuses: readonly JobStatus[] = ["Done", "Failed", "Canceled"];

/** Nothing changes any more. */
export function isFinalJob(status: JobStatus): boolean {
  return finalStatuses.includes(status);
}

const shapes = {
  ClearList: z.strictObject({
    list: z.number().int(),
    /** Memberships with a lower version are gone. */
    version: z.string(),
  }),
  ClearSupplement: z.strictObject({
    supplement: z.number().int(),
    /** Records with a lower version are gone. */
    version: z.string(),
  }),
} as const;

export type JobName = keyof typeof shapes;
export type JobInput<Name extends JobName> = JobInputs[Name];
/** So written, the shape of a name that is not known yet has that name's type. */
type JobInputs = { readonly [Name in JobName]: z.output<(typeof shapes)[Name]> };

/**
 * What each kind of job is told when it is started: the route that starts it and the worker agree here. A job's input is kept
 * for as long as the job is: it names contacts by cID, never by an address, so that an erasure need not look for it.
 */
export const jobInputs: { readonly [Name in JobName]: z.ZodType<JobInputs[Name]> } = shapes;

/** Of a job's items by what became of them. */
export interface JobResult {
  readonly totalRecords: number;
  readonly inserted: number;
  readonly updated: number;
  readonly rejected: number;
  readonly error: number;
  readonly ignored: number;
}

export const emptyJobResult: JobResult = {
  totalRecords: 0,
  inserted: 0,
  updated: 0,
  rejected: 0,
  error: 0,
  ignored: 0,
};
