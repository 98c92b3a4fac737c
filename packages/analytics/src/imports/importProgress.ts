import { z } from "zod";

export const importPosition = z.object({ offset: z.number(), line: z.number(), index: z.number() });

export const importSource = z.object({
  file: z.object({ id: z.string(), bytes: z.number(), markBytes: z.number() }),
  form: z.object({
    format: z.enum(["csv", "jsonl"]),
    delimiter: z.string(),
    newline: z.enum(["\n", "\r"]),
    isAligned: z.boolean().optional(),
    isFormulaSafe: z.boolean().optional(),
    isDecoded: z.boolean().optional(),
  }),
  header: z.array(z.string()).readonly().nullable(),
  from: importPosition,
  unnamed: z.array(z.number()).readonly().optional(),
});

const counted = {
  source: importSource,
  /** Position at which reading goes on. */
  at: importPosition,
  /** Rows that are in the log. */
  written: z.number(),
  /** Rows that were made of those before, where the kind expands rows. */
  made: z.number().optional(),
  /** Rows that were rejected before the log. */
  refused: z.number(),
  /** Outcomes so far of a dry run, which writes nothing. */
  tried: z
    .object({
      inserted: z.number(),
      updated: z.number(),
      ignored: z.number(),
      rejected: z.number(),
      errors: z.number(),
    })
    .optional(),
  /** Rows by the name of a member of theirs that was ignored. */
  ignored: z.record(z.string(), z.number()).optional(),
  /** Rows by the name of an identifier of theirs that is not an address of its channel. */
  invalidAddresses: z.record(z.string(), z.number()).optional(),
  /** Rows by a name of theirs that is nearly an identifier or a channel of the account. */
  similarNames: z.record(z.string(), z.number()).optional(),
  /** Rows by the name of an identifier of theirs that says that there is no value. */
  missingValues: z.record(z.string(), z.number()).optional(),
  /** Rows by the name of a column of theirs whose text looks as an export marks formulas. */
  marked: z.record(z.string(), z.number()).optional(),
  /** Names that a dry run would bring up. */
  brought: z.object({ attributes: z.array(z.string()), lists: z.array(z.string()) }).optional(),
  /** Ends of the log after the job was canceled: everything that it wrote lies before them, also what a killed step did not report. */
  until: z.record(z.string(), z.number()).optional(),
  /** Losses of the log that were adopted before. */
  losses: z.number().optional(),
  /** Ends of the log after a loss was adopted: rows without an outcome are lost once the state has passed them. */
  lossUntil: z.record(z.string(), z.number()).optional(),
  /** Rows that the log lost before they were applied. */
  lost: z.number().optional(),
  /** Too many rows were rejected: no more are written, and those that are get their end first. */
  isStopped: z.boolean().optional(),
};

/** Nobody answered: the source outside is tried again, since this time. */
export const reaching = z.object({ phase: z.literal("reach"), since: z.number() });

/**
 * Progress of an import. `rows`: rows are read and written. `settle`: all are in the log, and the state has not applied them yet. `collect`:
 * rows that the state rejected are shown with their place in the source, which is read once more for them.
 */
export const importProgress = z.discriminatedUnion("phase", [
  reaching,
  z.object({ phase: z.literal("rows"), ...counted }),
  z.object({ phase: z.literal("settle"), ...counted }),
  z.object({ phase: z.literal("collect"), ...counted }),
]);
export type ImportProgress = z.output<typeof importProgress>;
export type ImportAt<Phase extends ImportProgress["phase"]> = Extract<ImportProgress, { phase: Phase }>;
/** Progress of an import that has its source. */
export type ImportUnderWay = ImportAt<"rows" | "settle" | "collect">;
