import { watermarksShape } from "@headwater/jobs/runner/watermarksShape";
import { z } from "zod";

/** Progress of a run: `behind`, ClickHouse lacks what was stored before its tick; `chunks`, its audience is being stored; `wants`, its contacts get their sends. */
export const runProgress = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("behind"), marks: watermarksShape }),
  z.object({
    phase: z.literal("chunks"),
    /** Table with the numbers of the audience. */
    table: z.string(),
    /** Number of the next chunk. */
    next: z.number(),
    /** The last contact that was stored, with the hash that says its place. */
    after: z.object({ hash: z.string(), contact: z.number() }).nullable(),
    /** Contacts that were stored. */
    contacts: z.number(),
  }),
  z.object({
    phase: z.literal("wants"),
    /** Contacts of the audience, those that were taken out of it, and those of these that have a send. */
    contacts: z.number(),
    taken: z.number(),
    wanted: z.number(),
  }),
]);
export type RunProgress = z.output<typeof runProgress>;
