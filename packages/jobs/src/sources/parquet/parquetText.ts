import { withoutTrailing } from "@headwater/kernel/text";
import {
  type AsyncBuffer,
  type Compressors,
  type DecodedArray,
  type FileMetaData,
  flatten,
  type ParquetParsers,
  parquetMetadata,
  parquetRead,
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
import { checkClaims, checkFooter, hasPageIndex } from "./parquetClaims.ts";
import { columnsOf, type Scales, withoutDecimals } from "./parquetColumns.ts";
import { claimsTooMuch, damaged, parquetLimits } from "./parquetRefusals.ts";
import { RowGroupBytes } from "./rowGroupBytes.ts";

/** Readers of instants and days, which become texts; one that no date has is missing. */
const parsers = {
  timestampFromMilliseconds: (millis: bigint) => instantOf(Number(millis)),
  timestampFromMicroseconds: (micros: bigint) => instantOf(Number(micros / 1_000n)),
  timestampFromNanoseconds: (nanos: bigint) => instantOf(Number(nanos / 1_000_000n)),
  dateFromDays: (days: number) => instantOf(days * DAY_MS)?.slice(0, DATE_CHARACTERS) ?? null,
} as const;

const DAY_MS = 86_400_000;

const DATE_CHARACTERS = 10;

const INSTANT_MS_MAX = 8.64e15;

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
  const texting = { names: columns.map(({ element }) => element.name), scales, whole };
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const rows = { start: groupStart, end: groupStart + Number(group.num_rows) };
    const reading = { metadata, parsers, compressors: sized, useOffsetIndex: hasPageIndex(group) };
    const of = { ...reading, file: new RowGroupBytes(file, { group, flat }) };
    for await (const part of partsOf(of, { group, rows, flat })) yield* textOf(part, texting);
    groupStart = rows.end;
  }
}

/** Options of the reader that hold for all that is read of a group. */
interface Reading {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly parsers: Partial<ParquetParsers>;
  readonly compressors: Compressors;
  readonly useOffsetIndex: boolean;
}

type Row = Readonly<Record<string, unknown>>;

interface Group {
  readonly group: RowGroup;
  /** Indexes of its rows in the file; `end` is not included. */
  readonly rows: { readonly start: number; readonly end: number };
  readonly flat: ReadonlySet<string>;
}

/**
 * Reads the rows of a group in parts of bounded size. Without an index of its pages the reader decodes lists and groups of all rows for any
 * part of them, so they are decoded once, and joined to the other columns of each part.
 */
async function* partsOf(reading: Reading, { group, rows, flat }: Group): AsyncGenerator<readonly Row[]> {
  const size = chunkRows(rows.end - rows.start, group);
  const names = new Set(group.columns.map(({ meta_data: meta }) => meta?.path_in_schema[0] ?? ""));
  const nested = [...names].filter((name) => !flat.has(name));
  const isJoined = nested.length > 0 && !reading.useOffsetIndex && size < rows.end - rows.start;
  const joined = isJoined ? await nestedColumns(reading, { rows, nested }) : new Map<string, DecodedArray>();
  const columns = [...names].filter((name) => !joined.has(name));
  for (let start = rows.start; start < rows.end; start += size) {
    const end = Math.min(rows.end, start + size);
    const range = { rowStart: start, rowEnd: end, ...(isJoined && { columns }) };
    const part: Row[] =
      columns.length === 0
        ? Array.from({ length: end - start }, () => ({}))
        : await readable(() => parquetReadObjects({ ...reading, ...range }));
    yield joined.size === 0 ? part : part.map((row, index) => joinRow(row, joined, start - rows.start + index));
  }
}

function joinRow(row: Row, columns: ReadonlyMap<string, DecodedArray>, index: number): Row {
  const more: Record<string, unknown> = Object.create(null);
  for (const [name, values] of columns) more[name] = values[index];
  return { ...row, ...more };
}

/** Returns the values of columns for all rows of a group. */
async function nestedColumns(
  reading: Reading,
  { rows, nested }: Pick<Group, "rows"> & { readonly nested: readonly string[] },
): Promise<Map<string, DecodedArray>> {
  const parts = new Map(nested.map((name): [string, DecodedArray[]] => [name, []]));
  const range = { columns: [...nested], rowStart: rows.start, rowEnd: rows.end };
  await readable(() =>
    parquetRead({
      ...reading,
      ...range,
      onChunk: ({ columnName, columnData }) => parts.get(columnName)?.push(columnData),
    }),
  );
  const columns = new Map([...parts].map(([name, values]) => [name, flatten(values)]));
  if ([...columns.values()].some((values) => values.length !== rows.end - rows.start)) throw damaged();
  return columns;
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
  /** Names of all columns, in the order of the file. */
  readonly names: readonly string[];
  readonly scales: Scales;
  /** Names of columns of which the reader gives a value, or null, for every row. */
  readonly whole: ReadonlySet<string>;
}

function* textOf(rows: readonly Row[], texting: Texting): Generator<string> {
  let part = "";
  for (const row of rows) {
    part += `${lineOf(row, texting)}\n`;
    if (part.length < PART_CHARACTERS) continue;
    yield part;
    part = "";
  }
  if (part !== "") yield part;
}

function lineOf(row: Row, { names, scales, whole }: Texting): string {
  let line = "{";
  for (const name of names) {
    const value = row[name];
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

function instantOf(ms: number): string | null {
  return Math.abs(ms) <= INSTANT_MS_MAX ? new Date(ms).toISOString() : null;
}

/**
 * The text of a value in JSON; undefined for a missing one. Whole numbers that no number of JSON keeps stand as their digits.
 * @param scale digits behind the point, of a decimal column.
 */
function jsonTextOf(value: unknown, scale: number | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (scale !== undefined) return decimalText(value, scale);
  if (typeof value === "number" && !Number.isFinite(value)) return undefined;
  if (typeof value === "string") return JSON.stringify(value.slice(0, RECORD_BYTES_MAX));
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? integerOf(inner) : inner));
}

function integerOf(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** Digits as they are: of 1999 with 2 behind the point `19.99`. */
function decimalText(value: unknown, scale: number): string | undefined {
  const stored = unscaledOf(value);
  if (stored === undefined) return undefined;
  const digits = (stored < 0n ? -stored : stored).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = withoutTrailing(digits.slice(digits.length - scale), "0");
  return `${stored < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

function unscaledOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (!(value instanceof Uint8Array) || value.length === 0) return undefined;
  return BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString("hex")}`));
}
