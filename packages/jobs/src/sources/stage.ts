import type { JobPorts } from "../runner/jobKind.ts";
import { insertUpload } from "../uploads/uploads.ts";
import type { Compression } from "./compression.ts";
import type { ForeignFile } from "./createSourceReader.ts";
import { importFailed } from "./importError.ts";
import { copyIdOf, type RawSource } from "./rawSource.ts";
import { UTF_8 } from "./row.ts";

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
  /** Form that its copy was given: lines of JSON, or csv with commas. Absent: to be found. */
  readonly written?: "jsonl" | "csv";
}

export interface Staging {
  readonly jobId: string;
  readonly account: { readonly number: number; readonly id: string };
  readonly raw: RawSource;
  readonly encoding: string | undefined;
  /** Sign before the fraction of numbers that its rows are read with. */
  readonly decimal: "." | "," | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

type Ports = Pick<JobPorts, "files" | "postgres" | "sources">;

/**
 * Makes the source plain UTF-8, in bounded memory: rows are read from it at any byte, also after a kill. Doing it twice makes the same file.
 * The source is read in a process of its own.
 * @throws HeadwaterError for a source that cannot be read.
 */
export async function stageSource(staging: Staging, ports: Ports): Promise<Staged> {
  const { raw, encoding, signal } = staging;
  const { id, name, bytes, sha256 } = raw;
  const source = foreignFile(staging, raw);
  const form = await ports.sources.findForm(source, encoding, { files: ports.files, signal });
  const { compression } = form;
  const about = { name, sha256, compression };
  if (form.kind === "parquet")
    return { ...about, encoding: UTF_8, ...(await stageParquet(staging, compression, ports)) };
  if (form.kind === "workbook")
    return { ...about, encoding: UTF_8, ...(await stageWorkbook(staging, compression, ports)) };
  if (form.foreign !== undefined)
    throw importFailed(`The source is ${form.foreign}. Imports read csv, text, JSON, Parquet and .xlsx files.`);
  const isUtf8 = form.encoding === UTF_8;
  const described = { ...about, encoding: form.encoding };
  if (form.isArray === true) {
    const how = { compression, encoding: form.encoding, isArray: true };
    const lines = await copyOf(staging, ports, "source", (to) => {
      return ports.sources.unpack(source, { ...how, to }, { files: ports.files, signal });
    });
    return { ...described, file: { ...lines, markBytes: 0 }, written: "jsonl" };
  }
  if (isUtf8 && compression === "none") return { ...described, file: { id, bytes, markBytes: form.markBytes } };
  const how = { compression, ...(!isUtf8 && { encoding: form.encoding }) };
  const copy = await copyOf(staging, ports, "source", (to) => {
    return ports.sources.unpack(source, { ...how, to }, { files: ports.files, signal });
  });
  return { ...described, file: { ...copy, markBytes: isUtf8 ? form.markBytes : 0 } };
}

async function stageWorkbook(staging: Staging, compression: Compression, ports: Ports) {
  const { raw, decimal = ".", signal } = staging;
  const file = await copyOf(staging, ports, "source", (to) => {
    const how = { compression, decimal, to };
    return ports.sources.writeSheet(foreignFile(staging, raw), how, { files: ports.files, signal });
  });
  return { file: { ...file, markBytes: 0 }, written: "csv" as const };
}

function foreignFile(
  { account }: Pick<Staging, "account">,
  { id, bytes }: Pick<RawSource, "id" | "bytes">,
): ForeignFile {
  return { account: account.number, key: { accountId: account.id, id }, bytes };
}

/** Makes lines of JSON of a Parquet file, which is unpacked as a whole first: its index stands at its end. */
async function stageParquet(staging: Staging, compression: Compression, ports: Ports) {
  const { raw, signal } = staging;
  const access = { files: ports.files, signal };
  const plain =
    compression === "none"
      ? raw
      : await copyOf(staging, ports, "parquet", (to) => {
          return ports.sources.unpack(foreignFile(staging, raw), { compression, to }, access);
        });
  const { columns, ...file } = await copyOf(staging, ports, "source", (to) => {
    return ports.sources.writeRows(foreignFile(staging, plain), to, access);
  });
  return { file: { ...file, markBytes: 0 }, columns };
}

/** The row comes before the bytes, so that housekeeping finds them. */
async function copyOf<Written extends { readonly bytes: number; readonly sha256: string }>(
  { jobId: job, account, nowMs }: Staging,
  { postgres }: Ports,
  what: "source" | "parquet",
  write: (to: { readonly accountId: string; readonly id: string }) => Promise<Written>,
): Promise<Omit<Written, "sha256"> & { readonly id: string }> {
  const id = copyIdOf(job, what);
  const row = { id, account: account.number, name: null, job, isCopy: true, createdAt: nowMs };
  await insertUpload(postgres, { ...row, bytes: 0, sha256: "" });
  const { sha256, ...written } = await write({ accountId: account.id, id });
  await insertUpload(postgres, { ...row, bytes: written.bytes, sha256 });
  return { ...written, id };
}
