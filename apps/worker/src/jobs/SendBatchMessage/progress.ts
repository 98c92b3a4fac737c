import { z } from "zod";

const snapshot = z.object({
  /** Table with the numbers of the audience. */
  table: z.string(),
  /** The message's last change when the snapshot was begun: after another one it is taken anew. */
  of: z.number(),
  /** Number of the snapshot's first chunk. */
  first: z.number(),
});

/** Progress of a send. `clear`: contacts of an earlier snapshot are gone through; `chunks`: those of this one are stored. */
export const sendProgress = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("begin") }),
  z.object({ phase: z.literal("snapshot") }),
  snapshot.extend({ phase: z.literal("clear") }),
  snapshot.extend({
    phase: z.literal("chunks"),
    /** Number of the next chunk. */
    next: z.number(),
    /** The last contact that was stored, with the hash that says its place. */
    after: z.object({ hash: z.string(), contact: z.number() }).nullable(),
  }),
]);
export type SendProgress = z.output<typeof sendProgress>;
