import { setImmediate } from "node:timers/promises";
import { HeadwaterError } from "@headwater/kernel";
import type { FileKey } from "@headwater/stores/files";
import {
  type AsyncBuffer,
  type FileMetaData,
  type ParquetReadOptions,
  parquetMetadataAsync,
  parquetReadObjects,
} from "hyparquet";
import { compressors } from "hyparquet-compressors";
import type { JobPorts } from "../../../runner/jobKind.ts";
import { importFailed } from "../../importError.ts";
import { columnsOf, type Scales, withoutDecimals } from "./parquetColumns.ts";
import { jsonTextOf, parsers } from "./parquetValue.ts";

/** Limits of what is read at once, and so of the memory that a file takes. */
const FOOTER_BYTES_MAX = 16 * 1024 * 1024;
const GROUP_BYTES_MAX = 192 * 1024 * 1024;
const CHUNK_BYTES = 16 * 1024 * 1024;
const CHUNK_ROWS_MIN = 1_000;
const CHUNK_ROWS_MAX = 50_000;
/** A page that says to be larger is not unpacked. */
const PAGE_BYTES_MAX = 256 * 1024 * 1024;
/** A text is handed on in parts of about so many characters. */
const PART_CHARACTERS = 64 * 1024;
const ROWS_AT_ONCE = 1_000;

export interface ParquetFile {
  readonly key: FileKey;
  readonly bytes: number;
}

export interface ParquetText {
  readonly columns: readonly string[];
  /** Rows as lines of JSON, in parts. Missing values are left out. */
  readonly text: AsyncIterable<string>;
}

/** Opens a Parquet file. @throws HeadwaterError for one that is damaged, cut short, or has columns that imports do not read. */
export async function openParquet(file: ParquetFile, ports: Pick<JobPorts, "files">): Promise<ParquetText> {
  const buffer = asyncBuffer(file, ports);
  const metadata = await readable(() => readMetadata(buffer));
  const { names, scales } = columnsOf(metadata);
  expectUnpacked(metadata);
  return { columns: names, text: linesOf(buffer, withoutDecimals(metadata), scales) };
}

function asyncBuffer({ key, bytes }: ParquetFile, { files }: Pick<JobPorts, "files">): AsyncBuffer {
  return {
    byteLength: bytes,
    async slice(start, end = bytes) {
      if (!(start >= 0 && end >= start && end <= bytes)) throw damaged();
      if (end - start > GROUP_BYTES_MAX) throw tooLarge();
      const whole = new Uint8Array(end - start);
      let at = 0;
      if (end > start) {
        for await (const chunk of files.read(key, { start, end: end - 1 })) {
          whole.set(chunk, at);
          at += chunk.length;
        }
      }
      return whole.buffer;
    },
  };
}

async function readMetadata(buffer: AsyncBuffer): Promise<FileMetaData> {
  const tail = new DataView(await buffer.slice(Math.max(0, buffer.byteLength - 8)));
  if (tail.byteLength < 8 || tail.getUint32(4, true) !== MAGIC) throw damaged();
  if (tail.getUint32(0, true) > FOOTER_BYTES_MAX)
    throw importFailed(`The footer of the Parquet file exceeds ${FOOTER_BYTES_MAX} bytes.`);
  return parquetMetadataAsync(buffer, { parsers, geoparquet: false });
}

/** `PAR1`. */
const MAGIC = 0x31_52_41_50;

/** Groups that are read in parts by their index of pages may be of any size; others are read as a whole. */
function expectUnpacked({ row_groups: groups }: FileMetaData): void {
  for (const group of groups) {
    const bytes = Number(group.total_byte_size);
    const hasIndex = group.columns.every(({ offset_index_offset: index }) => index !== undefined);
    if (bytes > GROUP_BYTES_MAX && !hasIndex) throw tooLarge();
  }
}

async function* linesOf(file: AsyncBuffer, metadata: FileMetaData, scales: Scales): AsyncGenerator<string> {
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    const chunk = chunkRows(rows, Number(group.total_byte_size));
    for (let from = 0; from < rows; from += chunk) {
      const rowStart = groupStart + from;
      const read = { file, metadata, rowStart, rowEnd: groupStart + Math.min(rows, from + chunk) };
      yield* textOf(await readRows(read), scales);
    }
    groupStart += rows;
  }
}

/** Groups of a common size are read in one go: pages are found by their index only in larger ones. */
function chunkRows(rows: number, bytes: number): number {
  if (!(rows >= 0 && bytes >= 0)) throw damaged();
  if (bytes <= CHUNK_BYTES && rows <= CHUNK_ROWS_MAX) return Math.max(1, rows);
  const byBytes = Math.floor((rows * CHUNK_BYTES) / Math.max(1, bytes));
  return Math.min(CHUNK_ROWS_MAX, Math.max(CHUNK_ROWS_MIN, byBytes));
}

function readRows(read: ParquetReadOptions): Promise<Record<string, unknown>[]> {
  return readable(() => parquetReadObjects({ ...read, parsers, compressors: bounded, useOffsetIndex: true }));
}

const bounded = Object.fromEntries(
  Object.entries(compressors).map(([codec, unpack]): [string, typeof unpack] => [
    codec,
    (input, length) => {
      if (!(length <= PAGE_BYTES_MAX)) throw tooLarge();
      return unpack(input, length);
    },
  ]),
);

async function* textOf(rows: readonly Record<string, unknown>[], scales: Scales): AsyncGenerator<string> {
  let part = "";
  for (const [index, row] of rows.entries()) {
    const members: string[] = [];
    for (const [name, value] of Object.entries(row)) {
      const text = jsonTextOf(value, scales.get(name));
      if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
    }
    part += `{${members.join(",")}}\n`;
    // Others have their turn of the event loop.
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate();
    if (part.length < PART_CHARACTERS) continue;
    yield part;
    part = "";
  }
  if (part !== "") yield part;
}

/** The reader throws errors of many kinds for bytes that make no sense; those of the disk have a code. */
async function readable<Done>(run: () => Promise<Done>): Promise<Done> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof HeadwaterError) throw error;
    if (error instanceof Error && typeof Reflect.get(error, "code") === "string") throw error;
    throw damaged(error);
  }
}

function damaged(cause?: unknown): HeadwaterError {
  return importFailed("The Parquet file is damaged or cut short.", cause);
}

function tooLarge(): HeadwaterError {
  return importFailed(
    `The Parquet file has a row group of more than ${GROUP_BYTES_MAX} bytes without an index of its pages. Write smaller row groups.`,
  );
}
