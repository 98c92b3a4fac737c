import { type ExportOptions, type ExportWatermark, toTimestamp } from "@headwater/contracts";
import type { ExportColumn } from "./exportKind.ts";
import type { WrittenFile } from "./progress.ts";

/** Facts of an export as a whole. The manifest is written last, so that whoever waits for it reads whole exports. */
export interface ManifestFacts {
  readonly jobId: string;
  readonly jobName: string;
  readonly createdAt: number;
  readonly finishedAt: number;
  readonly options: ExportOptions & ManifestMembers;
  readonly columns: readonly ExportColumn[];
  readonly files: readonly WrittenFile[];
}

/** Members of inputs that only some kinds have. */
interface ManifestMembers {
  readonly asOf?: number | undefined;
  readonly basis?: string | undefined;
  readonly criteria?: { readonly shown?: unknown } | undefined;
  readonly audiences?: readonly { readonly shown?: unknown; readonly audienceKey?: string | undefined }[] | undefined;
}

export function manifestOf({ jobId, jobName, createdAt, finishedAt, options, columns, files }: ManifestFacts): object {
  const { name, since, until, timeframe, asOf, basis, timezone, criteria, audiences, format, compression } = options;
  const written = criteria ?? audiences?.find(({ audienceKey }) => audienceKey === undefined);
  const instants = { createdAt: toTimestamp(createdAt), finishedAt: toTimestamp(finishedAt) };
  return {
    jobId,
    jobName,
    name: name ?? jobName,
    ...instants,
    watermark: watermarkView(options.watermark),
    ...(since && { since: watermarkView(since) }),
    ...(until && { until: watermarkView(until) }),
    ...(timeframe && { timeframe: { start: toTimestamp(timeframe.from), end: toTimestamp(timeframe.to) } }),
    ...(asOf !== undefined && { asOf: toTimestamp(asOf) }),
    ...(basis !== undefined && { basis }),
    timezone,
    ...(written && { criteria: written.shown }),
    format,
    compression,
    formulaSafe: isFormulaSafe(options),
    columns: columns.map((column) => ({ ...column, type: column.type === "id" ? "text" : column.type })),
    rows: rowsOf(files),
    files: files.map(({ id: _, ...file }) => file),
    notes: notesOf(options),
  };
}

/** Counts the rows that were asked for: those of contacts that left are not among them. */
export function rowsOf(files: readonly Pick<WrittenFile, "kind" | "rows">[]): number {
  return files.filter(({ kind }) => kind === undefined).reduce((sum, { rows }) => sum + rows, 0);
}

/** A watermark as jobs and manifests show it. */
export function watermarkView({ token, asOf, offsets }: ExportWatermark): object {
  return { token, asOf: toTimestamp(asOf), offsets };
}

/** Returns whether texts of the files have the mark that an import of them takes away. Other formats never have it. */
function isFormulaSafe({ format, formulaSafe }: ExportOptions): boolean {
  return (format === "csv" || format === "txt") && formulaSafe;
}

function notesOf(options: ExportOptions): string[] {
  return isFormulaSafe(options) ? ["Texts that a spreadsheet would take for a formula begin with '."] : [];
}
