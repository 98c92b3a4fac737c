import type { JobKind } from "../runner/jobKind.ts";
import { clearListJob } from "./ClearList/index.ts";
import { clearSupplementJob } from "./ClearSupplement/index.ts";

/** Every kind of job, by its name. */
export const jobKinds: ReadonlyMap<string, JobKind> = new Map(
  [clearListJob, clearSupplementJob].map((kind) => [kind.jobName, kind] as const),
);
