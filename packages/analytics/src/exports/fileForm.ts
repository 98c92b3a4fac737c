import {
  EXPORT_COMPRESSIONS,
  EXPORT_FORMATS,
  type ExportCompression,
  type ExportFormat,
  type ExportOptions,
} from "@headwater/contracts";
import { listedWord } from "@headwater/kernel";
import type { ConfigurationProblems, ExportBody } from "./configurationProblems.ts";

/** Form of the files of an export. */
export type FileForm = Pick<
  ExportOptions,
  "format" | "compression" | "showHeader" | "delimiter" | "bom" | "formulaSafe" | "recordsPerFile"
>;

const RECORDS_MAX = 1_000_000_000;

export function readFileForm(body: ExportBody, isKept: boolean, problems: ConfigurationProblems): FileForm {
  const format = readFormat(body.exportType, problems);
  const isDelimited = format === "csv" || format === "txt";
  return {
    format,
    compression: readCompression(body, format, problems),
    showHeader: readFlag(body, "showHeader", true, problems),
    delimiter: readDelimiter(body.delimiter, format, problems),
    bom: readFlag(body, "bom", false, problems),
    formulaSafe: readFlag(body, "formulaSafe", isDelimited && isKept, problems),
    recordsPerFile: readLimit(body.limitRecordsPerFile, problems),
  };
}

function readFormat(value: unknown, problems: ConfigurationProblems): ExportFormat {
  if (value === undefined || value === null) return "csv";
  const format = listedWord(EXPORT_FORMATS, value);
  if (format !== undefined) return format;
  problems.add("/exportType", "bad_value", "The format is unknown.", EXPORT_FORMATS);
  return "csv";
}

function readCompression(body: ExportBody, format: ExportFormat, problems: ConfigurationProblems): ExportCompression {
  const usual = format === "parquet" ? "zstd" : "none";
  const isCompressed = readFlag(body, "compress", false, problems);
  const { compression } = body;
  if (compression === undefined || compression === null) return isCompressed ? "gzip" : usual;
  const allowed = EXPORT_COMPRESSIONS.filter((one) => one !== "snappy" || format === "parquet");
  const known = listedWord(allowed, compression);
  if (known === undefined)
    problems.add("/compression", "bad_value", `A ${format} file has no such compression.`, allowed);
  if (isCompressed && known !== undefined && known !== "gzip")
    problems.add("/compress", "not_allowed", "`compress` is gzip, and `compression` says otherwise.");
  return known ?? usual;
}

/** A flag, which forms also send as a text. */
export function readFlag(body: ExportBody, name: string, usual: boolean, problems: ConfigurationProblems): boolean {
  const value = body[name];
  if (value === undefined || value === null) return usual;
  if (typeof value === "boolean") return value;
  const word = listedWord(["true", "false"], value);
  if (word !== undefined) return word === "true";
  problems.add(`/${name}`, "type_mismatch", "The value must be true or false.");
  return usual;
}

const DELIMITERS: Readonly<Record<string, string>> = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" };

function readDelimiter(value: unknown, format: ExportFormat, problems: ConfigurationProblems): string {
  const usual = format === "txt" ? "\t" : ",";
  if (value === undefined || value === null) return usual;
  const text = typeof value === "string" ? value : "";
  const named = Object.hasOwn(DELIMITERS, text.toLowerCase()) ? DELIMITERS[text.toLowerCase()] : undefined;
  if (named !== undefined) return named;
  if ([...text].length === 1 && !/["\r\n\0\ud800-\udfff]/.test(text)) return text;
  problems.add(
    "/delimiter",
    "bad_value",
    "A delimiter is one character, but no quote and no line end.",
    Object.keys(DELIMITERS),
  );
  return usual;
}

function readLimit(value: unknown, problems: ConfigurationProblems): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= RECORDS_MAX) return value;
  const code = typeof value === "number" ? "out_of_range" : "type_mismatch";
  problems.add("/limitRecordsPerFile", code, `The value must be an integer between 0 and ${RECORDS_MAX}.`);
  return 0;
}
