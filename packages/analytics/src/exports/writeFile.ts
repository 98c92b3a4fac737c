import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip, createZstdCompress } from "node:zlib";
import type { ClickHouseBulk } from "@headwater/clickhouse/bulk";
import type { ExportFormat, ExportOptions } from "@headwater/contracts";
import type { Destination, LocatedFile } from "@headwater/jobs/destinations/destination";
import { type FileRows, fileQuery } from "./fileQuery.ts";
import { withNullLists } from "./parquet/nullLists.ts";

const QUOTE = 0x22;

const LINE_FEED = 0x0a;

export interface FileToWrite extends FileRows {
  readonly name: string;
  /** Rows between `from` and `to`: the file is an error with any other number. */
  readonly rows: number;
}

export interface WritingPorts {
  readonly bulk: ClickHouseBulk;
  readonly destination: Destination;
  readonly signal: AbortSignal;
  /** Called with the rows written so far, at most once in five seconds. */
  readonly onRows: (rows: number) => Promise<void>;
  /** Runs when all bytes are written and before the file has its name. */
  readonly beforeFinish: () => Promise<void>;
}

export interface FileResult extends LocatedFile {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

const REPORT_EVERY_MS = 5_000;

/** Pipes a file out of ClickHouse into the destination: hashed, compressed and counted on the way, with bounded memory. */
export function writeRowsFile(file: FileToWrite, options: ExportOptions, ports: WritingPorts): Promise<FileResult> {
  return writeFile(compressed(contentOf(file, options, ports), options), file.name, ports);
}

/** Writes a file whose bytes are made here. Nothing of it is left when it fails. */
export async function writeFile(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  { destination, signal, beforeFinish }: Pick<WritingPorts, "destination" | "signal" | "beforeFinish">,
): Promise<FileResult> {
  const sum = createHash("sha256");
  let length = 0;
  const upload = await destination.open(name, signal);
  try {
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      sum.update(chunk);
      length += chunk.length;
      await upload.write(chunk);
    }
    await beforeFinish();
    signal.throwIfAborted();
    const located = await upload.finish();
    return { ...located, bytes: length, sha256: sum.digest("hex") };
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

async function* contentOf(file: FileToWrite, options: ExportOptions, ports: WritingPorts): AsyncGenerator<Uint8Array> {
  const { head, sql, params, settings, foot } = fileQuery(file, options);
  const counter = createRowCounter(options.format);
  if (head !== "") yield Buffer.from(head);
  let reportedAtMs = performance.now();
  let tail: Uint8Array = new Uint8Array();
  // A query for no rows of text answers nothing; Parquet has a schema even then.
  if (file.rows > 0 || options.format === "parquet") {
    const lists = listsIn(file, options);
    const answer = ports.bulk.read({ sql, params, settings, signal: ports.signal });
    for await (const chunk of lists === 0 ? answer : withNullLists(answer, lists)) {
      counter?.count(chunk);
      tail = chunk.subarray(-PARQUET_MAGIC.length);
      yield chunk;
      if (counter === undefined || performance.now() - reportedAtMs < REPORT_EVERY_MS) continue;
      await ports.onRows(counter.rows);
      reportedAtMs = performance.now();
    }
  }
  if (foot !== "") yield Buffer.from(foot);
  expectWhole(file, counter?.rows, tail);
}

/** Counts the columns that are lists in a Parquet file. */
function listsIn({ columns }: FileToWrite, { format }: ExportOptions): number {
  return format === "parquet" ? columns.filter(({ type }) => type === "array").length : 0;
}

const PARQUET_MAGIC = Buffer.from("PAR1");

function expectWhole({ name, rows }: FileToWrite, counted: number | undefined, tail: Uint8Array): void {
  if (counted !== undefined && counted !== rows) throw new Error(`${name} has ${counted} rows, not ${rows}`);
  if (counted === undefined && PARQUET_MAGIC.compare(tail) !== 0) throw new Error(`${name} has no footer`);
}

function compressed(
  content: AsyncIterable<Uint8Array>,
  { format, compression }: Pick<ExportOptions, "format" | "compression">,
): AsyncIterable<Uint8Array> {
  if (format === "parquet" || compression === "none" || compression === "snappy") return content;
  const source = Readable.from(content, { objectMode: false });
  return source.compose(compression === "gzip" ? createGzip() : createZstdCompress());
}

/** Counts the rows of a stream of bytes as it passes. */
interface RowCounter {
  count(chunk: Uint8Array): void;
  readonly rows: number;
}

/** @returns undefined for Parquet, whose rows cannot be counted in its bytes. */
export function createRowCounter(format: ExportFormat): RowCounter | undefined {
  if (format === "parquet") return undefined;
  return format === "csv" || format === "txt" ? delimitedRows() : jsonRows();
}

/** Each row of JSON has exactly one line feed. */
function jsonRows(): RowCounter {
  let rows = 0;
  return {
    count(chunk) {
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) rows += 1;
    },
    get rows() {
      return rows;
    },
  };
}

/** A line feed ends a row unless it stands in quotes; doubled quotes open and close at once. */
function delimitedRows(): RowCounter {
  let rows = 0;
  let isQuoted = false;
  return {
    count(chunk) {
      // An iterator of the bytes takes four times as long: more than hash and disk together.
      for (let at = 0; at < chunk.length; at += 1) {
        if (chunk[at] === QUOTE) isQuoted = !isQuoted;
        else if (chunk[at] === LINE_FEED && !isQuoted) rows += 1;
      }
    },
    get rows() {
      return rows;
    },
  };
}
