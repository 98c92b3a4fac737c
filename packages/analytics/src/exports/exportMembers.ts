import { EXPORT_COMPRESSIONS, EXPORT_FORMATS } from "@headwater/contracts";
import { z } from "zod";
import { destinationMember } from "../storage/destinationMember.ts";

/** A flag, which forms send as a text. */
export const flag = z.union([z.boolean(), z.enum(["true", "false"])]);
/** A list of texts, or one of them alone. */
export const texts = z.union([z.array(z.string()), z.string()]);

/** Members that every export takes, as the document describes them. `readExportRequest` reads them. */
export const exportMembers = {
  destination: destinationMember.nullish(),
  exportType: z.enum(EXPORT_FORMATS).describe("Default `csv`.").nullish(),
  name: z.string().describe("Begins the files' names: letters, digits, `-` and `_`.").nullish(),
  compress: flag.describe("True is gzip.").nullish(),
  compression: z
    .enum(EXPORT_COMPRESSIONS)
    .describe("Of Parquet the codec, default zstd; of all others the file's.")
    .nullish(),
  showHeader: flag.describe("Default true.").nullish(),
  delimiter: z.string().describe("One character, or `comma`, `semicolon`, `tab`, `pipe`.").nullish(),
  columnHeaders: z
    .array(z.strictObject({ name: z.string(), label: z.string().nullish() }))
    .describe("Picks, orders and renames columns.")
    .nullish(),
  limitRecordsPerFile: z.int().min(0).describe("0: one file.").nullish(),
  timezone: z.string().describe("IANA name of the zone of dates alone. Default: the account's.").nullish(),
  bom: flag.describe("Begins text files with a byte order mark.").nullish(),
  formulaSafe: flag

    .describe("Puts ' before texts that a spreadsheet takes for a formula. Default true for csv and txt kept here.")
    .nullish(),
  confirmEmail: z.string().nullish(),
  jobStatusWebhookUrl: z.string().nullish(),
} as const;

/** Members of the exports whose increments have watermarks. */
export const watermarkMembers = {
  since: z.string().describe("The token of a watermark: only what came after it.").nullish(),
  until: z
    .string()
    .describe("The token of a watermark: only what came before it. Default: the export's own.")
    .nullish(),
} as const;

/** Members that name a timeframe. @param rule whether an export needs one, or what it has without. */
export function timeframeMembers(rule: string) {
  const alias = "The same as in `timeframe`.";
  return {
    timeframe: z
      .strictObject({ start: z.string(), end: z.string() })
      .describe(`${rule} The start is included, the end is not.`)
      .nullish(),
    selected_timeframe_start: z.string().describe(alias).nullish(),
    selected_timeframe_end: z.string().describe(alias).nullish(),
  };
}

/** The 202 of every export. */
export const exportStarted = z.strictObject({
  jobId: z.string(),
  warnings: z
    .array(
      z.strictObject({
        code: z.string(),
        path: z.string().optional(),
        message: z.string(),
        allowed: z.array(z.string()).optional(),
      }),
    )
    .describe("What of the request has no effect here, and names in criteria that the account never had.")
    .optional(),
});
