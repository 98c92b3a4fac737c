import { watermarksShape } from "@headwater/jobs/runner/watermarksShape";
import { z } from "zod";
import { checkedShape } from "./looks.ts";

const snapshot = z.object({
  /** Table with the numbers of the audience. */
  table: z.string(),
  /** The message's last change when the snapshot was begun: after another one it is taken again. */
  of: z.number(),
  /** Number of the snapshot's first chunk. */
  first: z.number(),
});

/** Position that everything of a test lies below: first in the outbox, then on the log, then in what was stored of it. */
const logPosition = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("outbox"), marks: watermarksShape }),
  z.object({ kind: z.literal("log"), offsets: z.record(z.string(), z.number()) }),
  z.object({ kind: z.literal("stored"), marks: watermarksShape }),
]);
export type LogPosition = z.output<typeof logPosition>;

/**
 * Progress of a send. `clear`: contacts of an earlier snapshot and sends that a pause held are gone through; `chunks`: those of this one are stored; `decide`: a
 * champion's test is over, and what happened in it is on its way to ClickHouse.
 */
export const sendProgress = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("begin") }),
  z.object({
    phase: z.literal("snapshot"),
    /** Position that everything stored before the snapshot lies below, while ClickHouse is behind it; `of` as in `clear`. */
    stored: z.object({ of: z.number(), marks: watermarksShape }).optional(),
    /** Sends under way as last checked. */
    looked: checkedShape.optional(),
  }),
  snapshot.extend({ phase: z.literal("clear") }),
  snapshot.extend({
    phase: z.literal("chunks"),
    /** Number of the next chunk. */
    next: z.number(),
    /** The last contact that was stored, with the hash that says its place. */
    after: z.object({ hash: z.string(), contact: z.number() }).nullable(),
  }),
  z.object({ phase: z.literal("decide"), endMs: z.number(), at: logPosition }),
]);
export type SendProgress = z.output<typeof sendProgress>;
