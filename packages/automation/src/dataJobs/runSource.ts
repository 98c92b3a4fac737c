import { beginImport, type ImportBegun } from "@headwater/analytics/imports/beginImport";
import { importPosition, importSource, reaching } from "@headwater/analytics/imports/importProgress";
import { nextRows, type RowsDone } from "@headwater/analytics/imports/rows/nextRows";
import { rowView } from "@headwater/analytics/imports/rows/rowView";
import type { Account, JobInput } from "@headwater/contracts";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import type { JobPorts, Work } from "@headwater/jobs/runner/jobKind";
import type { Row } from "@headwater/jobs/sources/row";
import type { TriedInVain } from "@headwater/jobs/storage/tryForAnHour";
import { z } from "zod";
import type { Mapper } from "./createMapper.ts";
import { expandRows } from "./expandRows.ts";
import { mappingShape } from "./mapping.ts";

export type RunInput = JobInput<"DataAutomationProcessList">;

/** Progress of a run that reads its source itself. */
export const runProgress = z.union([
  reaching,
  z.object({
    source: importSource,
    /** Path where reading goes on. */
    at: importPosition,
    /** Records that were made so far. */
    made: z.number(),
    written: z.object({ inserted: z.number(), updated: z.number(), ignored: z.number() }),
    rejected: z.number(),
    /** Files of an export. */
    files: z.array(
      z.object({
        id: z.string().optional(),
        name: z.string(),
        rows: z.number(),
        bytes: z.number(),
        sha256: z.string(),
      }),
    ),
    /** All of the source is read. */
    isRead: z.boolean().optional(),
    /** Time since which the destination does not answer, milliseconds since 1970. */
    awaySince: z.number().optional(),
  }),
]);
export type RunProgress = z.output<typeof runProgress>;
export type RunAt = Exclude<RunProgress, { readonly phase: string }>;
export type RunWork = Work<RunInput, RunProgress>;
export type WrittenFile = RunAt["files"][number];

export type RunBegun =
  | { readonly kind: "begun"; readonly begun: ImportBegun }
  | { readonly kind: "away"; readonly since: number; readonly seconds: number };

/** Makes the source of a run readable. One that does not answer is tried for an hour. */
export async function beginRun(work: RunWork, since: number, ports: JobPorts): Promise<RunBegun> {
  const begun: ImportBegun | TriedInVain = await beginImport({ ...work, since }, ports, {
    reader: async () => ({ newAttributes: [], newLists: [], ignoredColumns: [], read: notRead }),
  });
  return "kind" in begun ? { ...begun, since } : { kind: "begun", begun };
}

function notRead(): never {
  throw new Error("rows of a run are mapped");
}

/** Returns the progress of a run that has its source. */
export function startOf({ source }: ImportBegun): RunAt {
  const written = { inserted: 0, updated: 0, ignored: 0 };
  return { source, at: source.from, made: 0, written, rejected: 0, files: [] };
}

export interface MadeRows extends Pick<RowsDone, "at" | "isEnd"> {
  readonly made: number;
}

export interface StepLimits {
  readonly account: Account;
  readonly input: RunInput;
  /** Rows of the source, and records that they may make together. */
  readonly rowsMax?: number;
  readonly recordsMax?: number;
}

/** Reads the rows of one step, maps them, and hands on what was made. */
export async function nextMade(
  { source, at, made: before }: Pick<RunAt, "source" | "at" | "made">,
  { account, input, rowsMax, recordsMax }: StepLimits,
  { ports, mapper }: { readonly ports: Pick<JobPorts, "files">; readonly mapper: Mapper },
  write: (rows: readonly Row[]) => Promise<void>,
): Promise<MadeRows> {
  const mapping = mappingShape.parse(input.recordMapping);
  const { header } = source;
  let made = before;
  const reading = {
    source,
    accountId: account.id,
    at,
    decimalMembers: undefined,
    ...(rowsMax !== undefined && { rowsMax }),
  };
  const done = await nextRows(reading, ports, async (rows) => {
    const expansion = {
      account: account.number,
      mapping,
      header,
      made,
      ...(recordsMax !== undefined && { recordsMax }),
    };
    const expanded = await expandRows(rows, expansion, mapper);
    made += expanded.length;
    await write(expanded);
    return { written: 0, rejections: [] };
  });
  return { at: done.at, isEnd: done.isEnd, made };
}

export function rejectionOf(
  row: Row,
  { code, message, path }: Pick<JobRejection, "code" | "message" | "path">,
): JobRejection {
  return { index: row.index, line: row.line, code, message, path, record: rowView(row, null) };
}

/** Returns what a job shows of a run after a step. */
export function reportOf({ source, at, written, rejected, made, isRead = false }: RunAt) {
  return {
    completedItems: made,
    result: { totalRecords: made, ...written, rejected },
    metadata: { progress: { bytes: isRead ? source.file.bytes : at.offset, bytesTotal: source.file.bytes } },
    ...(isRead && { totalItems: made }),
  };
}
