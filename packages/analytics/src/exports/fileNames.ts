import type { ExportFormat, ExportOptions } from "@headwater/contracts";

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  json: "application/json",
  jsonl: "application/x-ndjson",
  parquet: "application/vnd.apache.parquet",
};

interface Named {
  readonly jobName: string;
  readonly jobId: string;
  readonly options: Pick<ExportOptions, "name" | "format" | "compression" | "recordsPerFile">;
}

function begin({ jobName, jobId, options }: Named): string {
  return `${options.name ?? jobName}-${jobId}`;
}

/** @param position of the file in its part, from 0; it stands in the name when files are split. */
export function fileName(named: Named, kind: "gone" | undefined, position: number): string {
  const { format, recordsPerFile } = named.options;
  const part = kind === undefined ? "" : `-${kind}`;
  const number = recordsPerFile === 0 ? "" : `-${String(position + 1).padStart(5, "0")}`;
  return `${begin(named)}${part}${number}.${format}${suffixOf(named.options)}`;
}

export function manifestName(named: Named): string {
  return `${begin(named)}.manifest.json`;
}

export function contentTypeOf({ format, compression }: Pick<ExportOptions, "format" | "compression">): string {
  if (format === "parquet") return contentTypes.parquet;
  if (compression === "gzip") return "application/gzip";
  return compression === "zstd" ? "application/zstd" : contentTypes[format];
}

function suffixOf({ format, compression }: Pick<ExportOptions, "format" | "compression">): string {
  if (format === "parquet") return "";
  if (compression === "gzip") return ".gz";
  return compression === "zstd" ? ".zst" : "";
}
