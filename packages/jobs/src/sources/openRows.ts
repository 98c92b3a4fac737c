import { Readable } from "node:stream";
import { hasForbiddenText } from "@headwater/kernel";
import type { JobPorts } from "../runner/jobKind.ts";
import { detectForm, separatorLine } from "./detectForm.ts";
import { importFailed } from "./importError.ts";
import { readRows } from "./readRows.ts";
import { type Row, type RowPosition, type RowsRead, type TextForm, UTF_8 } from "./row.ts";
import type { PlainFile, Staged } from "./stage.ts";

/** A source whose rows can be read from any position. */
export interface Source {
  readonly file: PlainFile;
  readonly form: TextForm;
  /** Names of its columns; null where each row names its members. The rows of Parquet, too, come as lines of JSON. */
  readonly header: readonly string[] | null;
  /** The first data row. */
  readonly from: RowPosition;
  /** Positions of columns that the first row gives no name, as spreadsheets leave them: no row may say anything there. */
  readonly unnamed?: readonly number[] | undefined;
}

export interface HeaderOptions {
  readonly hasHeader?: boolean | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly delimiter?: string | undefined;
  /** A mapping of the empty name says what columns without a name are. */
  readonly mapping?: Readonly<Record<string, string | null>> | undefined;
}

interface Opening {
  readonly accountId: string;
  readonly options: HeaderOptions;
  /** Lines of JSON are all that can be imported. */
  readonly isJsonOnly: boolean;
  /** Marks of an export are taken away. */
  readonly isFormulaSafe: boolean;
}

const HEAD_BYTES = 64 * 1024;

type Ports = Pick<JobPorts, "files">;

/** Finds the form of a source and its header. @throws HeadwaterError for a header that cannot be used. */
export async function openSource(
  { file, name, encoding, columns: parquetColumns, written }: Staged,
  { accountId, options, isJsonOnly, isFormulaSafe }: Opening,
  ports: Ports,
): Promise<Source> {
  if (isJsonOnly && parquetColumns !== undefined) throw notJson();
  const start = file.markBytes;
  const top: RowPosition = { offset: start, line: 1, index: 0 };
  const lines: TextForm = { format: "jsonl", delimiter: "", newline: "\n" };
  if (parquetColumns !== undefined) {
    return { file, form: lines, header: namesOf(parquetColumns), from: top };
  }
  if (written === "jsonl") return { file, form: lines, header: null, from: top };
  const head: Buffer[] = [];
  if (file.bytes > start) {
    const end = Math.min(file.bytes, start + HEAD_BYTES) - 1;
    for await (const chunk of ports.files.read({ accountId, id: file.id }, { start, end })) head.push(chunk);
  }
  const beginning = Buffer.concat(head);
  const separator = written === "csv" ? undefined : separatorLine(beginning);
  const delimiter = written === "csv" ? "," : (options.delimiter ?? separator?.delimiter);
  const detected = detectForm(beginning.subarray(separator?.bytes ?? 0), { delimiter, name });
  const form: TextForm = {
    ...detected,
    ...(encoding !== UTF_8 && { isDecoded: true }),
    ...(isFormulaSafe && { isFormulaSafe }),
  };
  if (form.format === "jsonl") return { file, form, header: null, from: top };
  const first = separator === undefined ? top : { ...top, offset: start + separator.bytes, line: 2 };
  if (isJsonOnly) throw notJson();
  const { hasHeader = false, columns } = options;
  if (!hasHeader && columns === undefined)
    throw importFailed("The source has columns: set `hasHeader`, or send `columns`.");
  if (!hasHeader) return { file, form, header: namesOf(columns ?? []), from: first };
  const { row, next } = await firstRow({ file, form, header: null, from: first }, accountId, ports);
  const header = namesOf(columns ?? cellsOf(row));
  const unnamed = columns === undefined ? unnamedOf(header, options) : [];
  const source = { file, form, header, from: { ...next, index: 0 }, ...(unnamed.length > 0 && { unnamed }) };
  if (unnamed.length > 0) await expectEmpty(source, accountId, ports);
  return source;
}

function notJson() {
  return importFailed("The source must be lines of JSON.");
}

function unnamedOf(header: readonly string[], { mapping = {} }: HeaderOptions): readonly number[] {
  return Object.hasOwn(mapping, "") ? [] : header.flatMap((name, position) => (name === "" ? position : []));
}

/** Checks the first rows; one behind them that says something there is rejected alone. */
async function expectEmpty(source: Source, accountId: string, ports: Ports): Promise<void> {
  for await (const { rows } of rowsFrom(source, { accountId, from: undefined }, ports)) {
    const said = rows.map((row) => unnamedCell(row, source.unnamed)).find((place) => place !== undefined);
    if (said === undefined) return;
    throw importFailed(
      `The header gives column ${said + 1} no name, and rows have values there: name it, or map \`""\`.`,
    );
  }
}

/** Returns the place of the first cell that says something in a column without a name. */
export function unnamedCell(row: Row, unnamed: readonly number[] = []): number | undefined {
  if (row.kind !== "cells") return undefined;
  return unnamed.find((place) => (row.cells[place]?.text ?? "").trim() !== "");
}

/** Reads rows from a position on. */
export function rowsFrom(
  { file, form, from: first }: Source,
  {
    accountId,
    from,
    decimalMembers = NONE,
  }: { accountId: string; from: RowPosition | undefined; decimalMembers?: ReadonlySet<string> },
  { files }: Ports,
): AsyncGenerator<RowsRead> {
  const place = from ?? first;
  const isAtEnd = place.offset >= file.bytes;
  const bytes = isAtEnd
    ? Readable.from([])
    : files.read({ accountId, id: file.id }, { start: place.offset, end: file.bytes - 1 });
  return readRows({ bytes, form, from: place, decimalMembers });
}

const NONE: ReadonlySet<string> = new Set();

async function firstRow(source: Source, accountId: string, ports: Ports) {
  const row = await rowAt(source, accountId, ports);
  if (row === undefined) throw importFailed("The source is empty: it has no header.");
  return row;
}

/** The first row of all, and what follows it. */
async function rowAt(
  source: Source,
  accountId: string,
  { files }: Ports,
): Promise<{ row: Row; next: RowPosition } | undefined> {
  const { file, form, from } = source;
  if (from.offset >= file.bytes) return undefined;
  const bytes = files.read({ accountId, id: file.id }, { start: from.offset, end: file.bytes - 1 });
  for await (const { rows, next } of readRows({ bytes, form, from, decimalMembers: NONE, rowsAtOnce: 1 })) {
    const [row] = rows;
    if (row !== undefined) return { row, next };
  }
  return undefined;
}

function cellsOf(row: Row): readonly string[] {
  if (row.kind === "cells") return row.cells.map(({ text }) => text);
  throw importFailed(
    row.kind === "broken" ? `The header cannot be read. ${row.message}` : "The header cannot be read.",
  );
}

const DISPLAYED_NAMES_MAX = 10;

/** Names without the blanks around them; a column without a name is never read. */
function namesOf(input: readonly string[]): readonly string[] {
  const names = input.map((name) => name.trim());
  const seen = new Set<string>();
  const doubled = new Set<string>();
  for (const name of names) {
    if (name !== "" && seen.has(name)) doubled.add(name);
    seen.add(name);
  }
  const forbidden = names.find((name) => name.split(".").includes("__proto__") || hasForbiddenText(name));
  if (forbidden !== undefined) throw importFailed("The header has a name that no column may have.");
  if (names.every((name) => name === "")) throw importFailed("The header names no column.");
  if (doubled.size === 0) return names;
  const view = [...doubled].slice(0, DISPLAYED_NAMES_MAX).map((name) => JSON.stringify(name.slice(0, 64)));
  throw importFailed(`The header names columns twice: ${view.join(", ")}.`);
}
