import { EXPORT_COMPRESSIONS, EXPORT_FORMATS } from "@headwater/contracts";
import { z } from "zod";
import { destinationMember } from "../storage/destinationMember.ts";

/** Members that every export takes, as the document describes them. `readExportRequest` reads them. */
export const exportMembers = {
  destination: destinationMember.optional(),
  exportType: z.enum(EXPORT_FORMATS).describe("Default `csv`.").optional(),
  name: z.string().describe("Begins the files' names: letters, digits, `-` and `_`.").optional(),
  compress: z.boolean().describe("True is gzip.").optional(),
  compression: z
    .enum(EXPORT_COMPRESSIONS)
    .describe("Of Parquet the codec, default zstd; of all others the file's.")
    .optional(),
  showHeader: z.boolean().describe("Default true.").optional(),
  delimiter: z.string().describe("One character, or `comma`, `semicolon`, `tab`, `pipe`.").optional(),
  columnHeaders: z
    .array(z.strictObject({ name: z.string(), label: z.string().optional() }))
    .describe("Picks, orders and renames columns.")
    .optional(),
  limitRecordsPerFile: z.int().min(0).describe("0: one file.").optional(),
  timezone: z.string().describe("IANA name of the zone of dates alone. Default: the account's.").optional(),
  bom: z.boolean().describe("Begins text files with a byte order mark.").optional(),
  formulaSafe: z
    .boolean()
    .describe("Puts ' before texts that a spreadsheet takes for a formula. Default true for csv and txt kept here.")
    .optional(),
  confirmEmail: z.string().optional(),
  jobStatusWebhookUrl: z.string().optional(),
} as const;

/** Members of the exports whose increments have watermarks. */
export const watermarkMembers = {
  since: z.string().describe("The token of a watermark: only what came after it.").optional(),
  until: z
    .string()
    .describe("The token of a watermark: only what came before it. Default: the export's own.")
    .optional(),
} as const;

export const timeframeMembers = {
  timeframe: z
    .strictObject({ start: z.string(), end: z.string() })
    .describe("The start is included, the end is not.")
    .optional(),
  selected_timeframe_start: z.string().optional(),
  selected_timeframe_end: z.string().optional(),
} as const;

/** The 202 of every export. */
export const exportStarted = z.strictObject({
  jobId: z.string(),
  warnings: z
    .array(z.strictObject({ code: z.string(), path: z.string().optional(), message: z.string() }))
    .describe("What of the request has no effect here.")
    .optional(),
});
