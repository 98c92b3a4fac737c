import type { Account, ImportJobName, JobInput } from "@headwater/contracts";
import { readStoredJob } from "@headwater/jobs/queue/jobs";
import type { JobPorts, Work } from "@headwater/jobs/runner/jobKind";
import { openSource, rowsFrom, type Source } from "@headwater/jobs/sources/openRows";
import { type RawSource, rawSource } from "@headwater/jobs/sources/rawSource";
import type { Row } from "@headwater/jobs/sources/row";
import { type Staged, stageSource } from "@headwater/jobs/sources/stage";
import { type TriedInVain, tryForAnHour } from "@headwater/jobs/storage/tryForAnHour";
import { readExportOfFile } from "../jobs/jobReads.ts";
import { type DescribedColumn, describeColumns, markedCells } from "./columns/describeColumns.ts";
import { expectIdentifier } from "./columns/importColumn.ts";
import type { SourceKind } from "./importKind.ts";

export interface ImportBegun {
  readonly source: Source;
  readonly metadata: object;
}

const DISPLAYED_COLUMNS_MAX = 1_000;

type Beginning<Input> = Pick<Work<Input, unknown>, "jobId" | "account" | "input" | "secrets" | "nowMs" | "signal"> & {
  /** Milliseconds since 1970 at which the source was first tried. */
  readonly since: number;
};

/**
 * Makes the source readable and checks its columns, before the first row. A source outside that does not answer is tried for an hour.
 * @throws HeadwaterError for a source that cannot be imported.
 */
export async function beginImport<Name extends ImportJobName>(
  work: Beginning<JobInput<Name>>,
  ports: JobPorts,
  kind: SourceKind<JobInput<Name>>,
): Promise<ImportBegun | TriedInVain> {
  const { jobId, account, input, nowMs, signal, since } = work;
  const raw = await tryForAnHour(() => rawSource(work, ports), { since, nowMs, signal });
  if ("kind" in raw) return raw;
  const { encoding, decimal } = input;
  const staged = await stageSource({ jobId, account, raw, encoding, decimal, nowMs, signal }, ports);
  const { isJsonOnly = false } = kind;
  const isFormulaSafe = input.formulaSafe ?? (await isMarkedExport(raw, account, ports));
  const source = await openSource(staged, { accountId: account.id, options: input, isJsonOnly, isFormulaSafe }, ports);
  const { header, unnamed } = source;
  const reader = await kind.reader({ account, input, header, isDryRun: input.dryRun === true, nowMs }, ports);
  const { columns, identifiers } = reader;
  const isMarkSought = input.dryRun === true && !isFormulaSafe;
  const { rows, marked } =
    columns === undefined ? NO_ROWS : await firstRows(source, { accountId: account.id, isMarkSought }, ports);
  if (columns !== undefined && identifiers !== undefined) expectIdentifier(columns, { names: identifiers, rows });
  const { newAttributes, newLists, ignoredColumns } = reader;
  const metadata = {
    detected: detectedOf(staged, source, input.hasHeader === true),
    source: { sha256: staged.sha256 },
    progress: { bytes: source.from.offset, bytesTotal: source.file.bytes },
    ...(columns && columnsDisplayed(describeColumns(columns, rows, marked), input.dryRun === true)),
    ...(unnamed && { unnamedColumns: unnamed.slice(0, DISPLAYED_COLUMNS_MAX).map((path) => path + 1) }),
    ...(newAttributes.length > 0 && { newAttributes: newAttributes.slice(0, DISPLAYED_COLUMNS_MAX) }),
    ...(newLists.length > 0 && { newLists: newLists.slice(0, DISPLAYED_COLUMNS_MAX) }),
    ...(ignoredColumns.length > 0 && { ignoredColumns: ignoredColumns.slice(0, DISPLAYED_COLUMNS_MAX) }),
  };
  return { source, metadata };
}

/** Returns what a job shows of its columns: a dry run what each becomes, an import those that look wrong. */
function columnsDisplayed(described: readonly DescribedColumn[], isDryRun: boolean): object {
  if (isDryRun) return { columns: described };
  const columnWarnings = described.flatMap(({ column, warning }) =>
    warning === undefined ? [] : { column, ...warning },
  );
  return columnWarnings.length === 0 ? {} : { columnWarnings };
}

/** Files of exports carry the id of their job. */
const EXPORTED = /-([0-9a-f]{24})(?:-\d{5})?\.(?:csv|txt)(?:\.(?:gz|zst))?$/;

/**
 * Returns whether an export of the account wrote a file and marked its texts. The job's id in the name identifies a file that was edited,
 * the bytes identify one that was renamed.
 */
async function isMarkedExport(
  { name, sha256 }: Pick<RawSource, "name" | "sha256">,
  { number }: Pick<Account, "number">,
  { postgres }: Pick<JobPorts, "postgres">,
): Promise<boolean> {
  const [, id] = EXPORTED.exec(name ?? "") ?? [];
  const named = id === undefined ? undefined : await readStoredJob(postgres, number, id);
  const job = named ?? (await readExportOfFile(postgres, number, sha256));
  return job?.name.startsWith("Export") === true && Reflect.get(job.input, "formulaSafe") === true;
}

/** Rows that show what the columns of a source are. */
const SAMPLE_ROWS = 100;
/** Cells of a dry run that are searched for marks of formulas, which are rare. */
const MARK_CELLS = 1_000_000;

interface FirstRows {
  readonly rows: readonly Row[];
  /** Indexes of columns with a text that looks as an export marks formulas. */
  readonly marked: ReadonlySet<number>;
}

const NO_ROWS: FirstRows = { rows: [], marked: new Set() };

async function firstRows(
  source: Source,
  { accountId, isMarkSought }: { readonly accountId: string; readonly isMarkSought: boolean },
  ports: Pick<JobPorts, "files">,
): Promise<FirstRows> {
  const sample: Row[] = [];
  const marked = new Set<number>();
  let cells = 0;
  for await (const { rows } of rowsFrom(source, { accountId, from: undefined }, ports)) {
    sample.push(...rows.slice(0, SAMPLE_ROWS - sample.length));
    for (const row of isMarkSought ? rows : []) {
      for (const index of markedCells(row)) marked.add(index);
      cells += row.kind === "cells" ? row.cells.length : 0;
    }
    if (sample.length >= SAMPLE_ROWS && (!isMarkSought || cells >= MARK_CELLS)) break;
  }
  return { rows: sample, marked };
}

function detectedOf(
  { encoding, compression, columns, written }: Staged,
  { form, header }: Source,
  hasHeader: boolean,
): object {
  const { format, delimiter } = form;
  if (columns !== undefined)
    return { format: "parquet", compression, columns: columns.slice(0, DISPLAYED_COLUMNS_MAX) };
  const shared = { format: written === "csv" ? "xlsx" : format, encoding, compression };
  if (header === null) return shared;
  const mark = form.isFormulaSafe === true ? { formulaSafe: true } : {};
  return { ...shared, ...mark, delimiter, hasHeader, columns: header.slice(0, DISPLAYED_COLUMNS_MAX) };
}
