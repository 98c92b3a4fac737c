import { z } from "zod";

const fileShape = z.object({ name: z.string(), rows: z.number(), bytes: z.number(), sha256: z.string() });

/** Progress of an export, as far as a test checks it. */
export const progressShape = z.object({ phase: z.string().default("first"), files: z.array(fileShape).default([]) });

/** Files and manifest that the metadata of a finished export name. */
export const manifestShape = z.object({
  files: z.array(fileShape),
  manifest: fileShape.omit({ rows: true }),
});
