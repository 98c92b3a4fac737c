import { Readable } from "node:stream";
import { insertUpload } from "@headwater/stores/imports";
import type { JobPorts } from "../../runner/jobKind.ts";
import { type Compression, compressionOf, isParquet, unpacked } from "./compression.ts";
import { detectEncoding, knownEncoding, type Marked, markOf, toUtf8, UTF_8, Utf8Check, utf16Of } from "./encoding.ts";
import { openParquet } from "./parquet/parquetText.ts";
import { copyIdOf, type RawSource } from "./rawSource.ts";

/** A file of the account in plain UTF-8: the upload itself, or a copy of it. */
export interface PlainFile {
  readonly id: string;
  readonly bytes: number;
  /** Bytes of its mark. */
  readonly markBytes: number;
}

export interface Staged {
  readonly file: PlainFile;
  readonly name: string | undefined;
  readonly sha256: string;
  readonly encoding: string;
  readonly compression: Compression;
  /** Columns of a Parquet file; undefined for a text. */
  readonly columns?: readonly string[];
}

export interface Staging {
  readonly jobId: string;
  readonly account: { readonly number: number; readonly id: string };
  readonly raw: RawSource;
  readonly encoding: string | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

const HEAD_BYTES = 64 * 1024;
/** Text grows threefold at most when it becomes UTF-8. */
const COPY_BYTES_MAX = 30 * 1024 ** 3;

type Ports = Pick<JobPorts, "files" | "postgres">;

/** Makes the source plain UTF-8, in bounded memory: rows are read from it at any byte, also after a kill. Doing it twice makes the same file. */
export async function stageSource(staging: Staging, ports: Ports): Promise<Staged> {
  const { account, raw } = staging;
  const { id, name, bytes, sha256 } = raw;
  const key = { accountId: account.id, id };
  const compression = compressionOf(await headOf(ports.files.read(key, { start: 0, end: HEAD_BYTES - 1 })));
  const read = () =>
    stopping(
      unpacked(ports.files.read(key, { start: 0, end: Math.max(0, bytes - 1) }), { compression, packedBytes: bytes }),
      staging.signal,
    );
  const about = { name, sha256, compression };
  if (isParquet(await headOf(bytes === 0 ? Readable.from([]) : read()))) {
    return { ...about, encoding: UTF_8, ...(await parquetCopy(staging, ports, compression === "none" ? raw : read())) };
  }
  const found = await encodingOf(bytes === 0 ? () => Readable.from([]) : read, staging.encoding);
  const isPlain = compression === "none" && found.encoding === UTF_8;
  if (isPlain) return { ...about, encoding: UTF_8, file: { id, bytes, markBytes: found.markBytes } };
  const text = found.encoding === UTF_8 ? read() : toUtf8(read(), found.encoding);
  const copy = await copyOf(staging, ports, { what: "source", bytes: text });
  return {
    ...about,
    encoding: found.encoding,
    file: { ...copy, markBytes: found.encoding === UTF_8 ? found.markBytes : 0 },
  };
}

/** Reads an upload as text, whatever it is packed and written in. */
export async function* textOfUpload(
  { accountId, id, bytes }: { readonly accountId: string; readonly id: string; readonly bytes: number },
  { files }: Pick<Ports, "files">,
): AsyncGenerator<string> {
  if (bytes === 0) return;
  const key = { accountId, id };
  const compression = compressionOf(await headOf(files.read(key, { start: 0, end: HEAD_BYTES - 1 })));
  const read = () => unpacked(files.read(key, { start: 0, end: bytes - 1 }), { compression, packedBytes: bytes });
  if (compression === "none" && isParquet(await headOf(read()))) {
    yield* (await openParquet({ key, bytes }, { files })).text;
    return;
  }
  const { encoding } = await encodingOf(read, undefined);
  yield* toUtf8(read(), encoding);
}

/** A long read ends when the process stops. */
async function* stopping(bytes: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** Decides the encoding: what is given wins, then a mark, then UTF-8 if all of the text is, then the detector. */
async function encodingOf(read: () => AsyncIterable<Buffer>, given: string | undefined): Promise<Marked> {
  const head = await headOf(read());
  const mark = markOf(head);
  if (given !== undefined) {
    const encoding = knownEncoding(given);
    return { encoding, markBytes: mark?.encoding === encoding ? mark.markBytes : 0 };
  }
  if (mark !== undefined) return mark;
  const utf16 = utf16Of(head);
  if (utf16 !== undefined) return { encoding: utf16, markBytes: 0 };
  const check = new Utf8Check();
  for await (const chunk of read()) {
    check.add(chunk);
    if (check.sample !== undefined) break;
  }
  check.end();
  return { encoding: check.sample === undefined ? UTF_8 : detectEncoding(check.sample), markBytes: 0 };
}

async function headOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}

/** Makes lines of JSON of a Parquet file, which must be whole: its index stands at its end. */
async function parquetCopy(staging: Staging, ports: Ports, from: RawSource | AsyncIterable<Buffer>) {
  const { id, bytes } = "id" in from ? from : await copyOf(staging, ports, { what: "parquet", bytes: from });
  const { columns, text } = await openParquet({ key: { accountId: staging.account.id, id }, bytes }, ports);
  const file = { ...(await copyOf(staging, ports, { what: "source", bytes: text })), markBytes: 0 };
  return { file, columns };
}

interface Copied {
  readonly what: "source" | "parquet";
  readonly bytes: AsyncIterable<string | Buffer>;
}

/** The row comes before the bytes, so that housekeeping finds them. */
async function copyOf(staging: Staging, { files, postgres }: Ports, { what, bytes: text }: Copied) {
  const { jobId: job, account, nowMs } = staging;
  const id = copyIdOf(job, what);
  const row = { id, account: account.number, name: null, job, isCopy: true, createdAt: nowMs };
  await insertUpload(postgres, { ...row, bytes: 0, sha256: "" });
  const written = await files.write({ accountId: account.id, id }, text, { bytesMax: COPY_BYTES_MAX });
  await insertUpload(postgres, { ...row, ...written });
  return { id, bytes: written.bytes };
}
