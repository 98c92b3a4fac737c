import {
  type FileMetaData,
  parquetMetadata,
  parquetReadObjects,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { GROWTH_MAX, isBomb } from "../compression.ts";
import type { HostFile } from "../hostFile.ts";
import { SourceRefused } from "../sourceRefused.ts";
import { RECORD_BYTES_MAX } from "../splitRecords.ts";
import { checkClaims, checkFooter } from "./parquetClaims.ts";
import { columnsOf, type Scales, withoutDecimals } from "./parquetColumns.ts";
import { claimsTooMuch, damaged, parquetLimits } from "./parquetRefusals.ts";
import { jsonTextOf, parsers } from "./parquetValue.ts";
import { RowGroupBytes } from "./rowGroupBytes.ts";

/** Limits of what is decoded at once. */
const CHUNK_BYTES = 16 * 1024 * 1024;
const CHUNK_ROWS_MIN = 1_000;
const CHUNK_ROWS_MAX = 50_000;
/** A text is handed on in parts of about so many characters. */
const PART_CHARACTERS = 64 * 1024;

export interface ParquetText {
  readonly columns: readonly string[];
  /** Rows as lines of JSON, in parts. Missing values are left out. A row longer than a record may be is cut behind that length. */
  readonly text: AsyncIterable<string>;
}

/**
 * Opens a Parquet file. What it claims is counted before it is decoded.
 * @throws SourceRefused for one that is damaged, cut short, passes a limit, or has columns that imports do not read.
 */
export async function openParquet(file: HostFile): Promise<ParquetText> {
  const metadata = await readMetadata(file);
  checkClaims(metadata);
  const { names, scales } = columnsOf(metadata);
  return { columns: names, text: bounded(linesOf(file, withoutDecimals(metadata), scales), file.bytes) };
}

/** `PAR1`. */
const MAGIC = 0x31_52_41_50;
const TAIL_BYTES = 8;

async function readMetadata(file: HostFile): Promise<FileMetaData> {
  const end = file.bytes - TAIL_BYTES;
  if (end < 0) throw damaged();
  const tail = new DataView((await file.slice(end, file.bytes)).buffer);
  const bytes = tail.getUint32(0, true);
  if (tail.getUint32(4, true) !== MAGIC || bytes > end) throw damaged();
  if (bytes > parquetLimits.footerBytes) throw claimsTooMuch("footerBytes");
  const footer = await file.slice(end - bytes, file.bytes);
  checkFooter(footer);
  return readable(async () => parquetMetadata(footer, { parsers, geoparquet: false }));
}

async function* linesOf(file: HostFile, metadata: FileMetaData, scales: Scales): AsyncGenerator<string> {
  const columns = parquetSchema(metadata).children;
  const flat = namesOf(
    columns.filter(({ element, children }) => !children.length && element.repetition_type !== "REPEATED"),
  );
  // A group that a row misses comes as undefined; anything else that is missing comes as null.
  const whole = namesOf(
    columns.filter(({ element, children }) => !children.length || element.repetition_type !== "OPTIONAL"),
  );
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    const chunk = chunkRows(rows, group);
    const bytes = new RowGroupBytes(file, { group, flat });
    for (let from = 0; from < rows; from += chunk) {
      const range = { rowStart: groupStart + from, rowEnd: groupStart + Math.min(rows, from + chunk) };
      const options = { file: bytes, metadata, ...range, parsers, compressors: sized, useOffsetIndex: true };
      yield* textOf(await readable(() => parquetReadObjects(options)), { scales, whole });
    }
    groupStart += rows;
  }
}

function namesOf(columns: readonly SchemaTree[]): ReadonlySet<string> {
  return new Set(columns.map(({ element }) => element.name));
}

/** Groups of a common size are read in one go: pages are found by their index only in larger ones. */
function chunkRows(rows: number, { total_byte_size: size }: RowGroup): number {
  const bytes = Number(size);
  if (bytes <= CHUNK_BYTES && rows <= CHUNK_ROWS_MAX) return Math.max(1, rows);
  const byBytes = Math.floor((rows * CHUNK_BYTES) / Math.max(1, bytes));
  return Math.min(CHUNK_ROWS_MAX, Math.max(CHUNK_ROWS_MIN, byBytes));
}

/** Pages of the second version say less in their header than they unpack to: the length is checked once more. */
const sized = Object.fromEntries(
  Object.entries(compressors).map(([codec, unpack]): [string, typeof unpack] => [
    codec,
    (input, length) => {
      if (!(length <= parquetLimits.pageBytes)) throw claimsTooMuch("pageBytes");
      return unpack(input, length);
    },
  ]),
);

interface Texting {
  readonly scales: Scales;
  /** Names of columns of which the reader gives a value, or null, for every row. */
  readonly whole: ReadonlySet<string>;
}

function* textOf(rows: readonly Record<string, unknown>[], texting: Texting): Generator<string> {
  let part = "";
  for (const row of rows) {
    part += `${lineOf(row, texting)}\n`;
    if (part.length < PART_CHARACTERS) continue;
    yield part;
    part = "";
  }
  if (part !== "") yield part;
}

function lineOf(row: Record<string, unknown>, { scales, whole }: Texting): string {
  let line = "{";
  for (const [name, value] of Object.entries(row)) {
    // A dictionary without the value, or pages with fewer rows than the footer says.
    if (value === undefined && whole.has(name)) throw damaged();
    const text = jsonTextOf(value, scales.get(name));
    if (text !== undefined) line += `${line === "{" ? "" : ","}${JSON.stringify(name)}:${text}`;
    // Such a row is rejected alone when it is read, whatever follows.
    if (line.length > RECORD_BYTES_MAX) return line.slice(0, RECORD_BYTES_MAX + 1);
  }
  return `${line}}`;
}

async function* bounded(parts: AsyncIterable<string>, fileBytes: number): AsyncGenerator<string> {
  let characters = 0;
  for await (const part of parts) {
    characters += part.length;
    if (isBomb(characters, fileBytes))
      throw new SourceRefused(`The Parquet file grows more than ${GROWTH_MAX} times when it is read.`);
    yield part;
  }
}

/** The reader throws errors of many kinds for bytes that make no sense. */
async function readable<Done>(run: () => Promise<Done>): Promise<Done> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof SourceRefused ? error : damaged(error);
  }
}
