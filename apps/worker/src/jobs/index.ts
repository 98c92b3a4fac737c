import type { JobKind } from "../runner/jobKind.ts";
import { clearListJob } from "./ClearList/index.ts";

/** Every kind of job, by its name. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map(
  [clearListJob].map((kind) => [kind.jobName, kind] as const),
);
