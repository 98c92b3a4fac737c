import { watermarksShape } from "@headwater/jobs/runner/watermarksShape";
import { z } from "zod";
import { COLUMN_TYPES } from "./exportKind.ts";

const column = z.object({ name: z.string(), field: z.string(), type: z.enum(COLUMN_TYPES) });

/** A part that is staged. */
const part = z.object({
  kind: z.literal("gone").optional(),
  table: z.string(),
  columns: z.array(column),
  rows: z.number(),
});
export type Part = z.output<typeof part>;

/** A file that is finished, as the manifest and the job show it; `id` of one that is kept here. */
const file = z.object({
  id: z.string().optional(),
  name: z.string(),
  kind: z.literal("gone").optional(),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
});
export type WrittenFile = z.output<typeof file>;

const staged = {
  erasedUpTo: z.string(),
  parts: z.array(part),
  files: z.array(file),
  /** First of the attempts in a row that got no answer of the destination, in milliseconds since 1970. */
  awaySince: z.number().optional(),
};

/** Phases, in this order; the first step has none yet and waits for `state`. */
export const exportProgress = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("intake") }),
  /** `state` is past the watermark: waits until ClickHouse has what it stored. */
  z.object({ phase: z.literal("sinks"), marks: watermarksShape, erasedUpTo: z.string(), since: z.number() }),
  z.object({ phase: z.literal("stage"), erasedUpTo: z.string() }),
  /** The next file begins with row `from` of the part; `place` counts the part's files. */
  z.object({ phase: z.literal("write"), part: z.number(), from: z.number(), place: z.number(), ...staged }),
  /** `finishedAt`: milliseconds since 1970; so whoever writes the manifest, and however often, writes the same one. */
  z.object({ phase: z.literal("manifest"), finishedAt: z.number().optional(), ...staged }),
  /** All is written: the tables go. */
  z.object({ phase: z.literal("end") }),
]);
export type ExportProgress = z.output<typeof exportProgress>;
export type At<Phase extends ExportProgress["phase"]> = Extract<ExportProgress, { readonly phase: Phase }>;
