import { z } from "zod";

/** `StreamWatermark` as the progress of a job keeps them. */
export const watermarksShape = z.object({
  state: z.record(z.string(), z.number()),
  xid: z.string(),
  position: z.number(),
  changes: z.record(z.string(), z.record(z.string(), z.number())).optional(),
  generations: z.record(z.string(), z.number()).optional(),
});
