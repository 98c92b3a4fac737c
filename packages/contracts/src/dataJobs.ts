import { z } from "zod";
import { importedSource, importOptions } from "./importJobs.ts";
import { jobStorage } from "./requestedStorage.ts";

/** Kinds of records that a data job makes; `export` writes them to a file. */
export const dataJobTargets = ["contacts", "activities", "orders", "products", "supplement", "export"] as const;
export type DataJobTarget = (typeof dataJobTargets)[number];

/** Input of one run of a data job: what the data job was when the run began. */
export const dataJobRunInput = z.strictObject({
  ...importedSource,
  ...importOptions,
  /** daId of the data job. */
  dataJob: z.string(),
  runMarker: z.string(),
  /** Mapping as it was saved; `packages/automation` has its shape. */
  recordMapping: z.unknown(),
  target: z.enum(dataJobTargets),
  /** Key of the supplement table. */
  targetKey: z.string().optional(),
  /** Destination of an export; absent: the file is kept here. */
  destination: jobStorage.optional(),
});
