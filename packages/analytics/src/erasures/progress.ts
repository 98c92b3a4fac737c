import type { JobInput } from "@headwater/contracts";
import type { Work } from "@headwater/jobs/runner/jobKind";
import { watermarksShape } from "@headwater/jobs/runner/watermarksShape";
import { z } from "zod";

const scrubbed = z.number();

/** Phases, in this order. */
export const progress = z.discriminatedUnion("phase", [
  /** Finds the contact's earlier identifiers; its rows in ClickHouse go. */
  z.object({ phase: z.literal("first") }),
  /** Refused records about it are emptied, those up to `after` are done. */
  z.object({ phase: z.literal("rejects"), after: z.string(), scrubbed }),
  z.object({ phase: z.literal("others"), scrubbed }),
  /** Waits for rows that were stored before the erasure and are on their way to ClickHouse. */
  z.object({ phase: z.literal("sinks"), scrubbed, marks: watermarksShape }),
  /** It is there: every writer of ClickHouse leaves the contact out. */
  z.object({ phase: z.literal("close"), scrubbed }),
  /** Waits since then for blocks that were built before and may be on their way. */
  z.object({ phase: z.literal("settle"), scrubbed, since: z.number() }),
  z.object({ phase: z.literal("last"), scrubbed }),
  /** Rows are gone for every query: the parts that held them are written again. */
  z.object({ phase: z.literal("masks"), scrubbed }),
  /** They are: those that they replace go from ClickHouse's disk. `since`: seconds of its clock. */
  z.object({ phase: z.literal("parts"), scrubbed, since: z.number() }),
]);
export type Progress = z.output<typeof progress>;
export type Erasing = Work<JobInput<"DeleteContact">, Progress>;
export type At<Phase extends Progress["phase"]> = Extract<Progress, { readonly phase: Phase }>;
