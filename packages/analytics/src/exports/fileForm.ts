import {
  EXPORT_COMPRESSIONS,
  type ExportCompression,
  type ExportFormat,
  type ExportOptions,
} from "@headwater/contracts";
import { listedWord } from "@headwater/kernel";
import type { z } from "zod";
import type { ConfigurationProblems } from "./configurationProblems.ts";
import type { exportMembers } from "./exportMembers.ts";

/** Form of the files of an export. */
export type FileForm = Pick<
  ExportOptions,
  "format" | "compression" | "showHeader" | "delimiter" | "bom" | "formulaSafe" | "recordsPerFile"
>;

type Members = Partial<z.output<z.ZodObject<typeof exportMembers>>>;

export function readFileForm(members: Members, isStored: boolean, problems: ConfigurationProblems): FileForm {
  const format = members.exportType ?? "csv";
  const isDelimited = format === "csv" || format === "txt";
  return {
    format,
    compression: readCompression(members, format, problems),
    showHeader: members.showHeader ?? true,
    delimiter: members.delimiter ?? (format === "txt" ? "\t" : ","),
    bom: members.bom ?? false,
    formulaSafe: members.formulaSafe ?? (isDelimited && isStored),
    recordsPerFile: members.limitRecordsPerFile ?? 0,
  };
}

function readCompression(
  { compress, compression }: Members,
  format: ExportFormat,
  problems: ConfigurationProblems,
): ExportCompression {
  const byDefault = format === "parquet" ? "zstd" : "none";
  const isCompressed = compress ?? false;
  if (compression === undefined || compression === null) return isCompressed ? "gzip" : byDefault;
  const allowed = EXPORT_COMPRESSIONS.filter((one) => one !== "snappy" || format === "parquet");
  const known = listedWord(allowed, compression);
  if (known === undefined)
    problems.add("/compression", "bad_value", `A ${format} file has no such compression.`, allowed);
  if (isCompressed && known !== undefined && known !== "gzip")
    problems.add("/compress", "not_allowed", "`compress` is gzip, and `compression` says otherwise.");
  return known ?? byDefault;
}
