import { constants, gunzipSync, zstdDecompressSync } from "node:zlib";
import { type ErrorDetail, jsonBeginning } from "@headwater/kernel";

/** Bytes of a source that are checked. */
export const HEAD_BYTES = 512;

/** Bytes that so few of a packed file may unpack to; a bomb is left to the worker. */
const UNPACKED_BYTES_MAX = 1_048_576;
const PACKED_TEXT = /\.(csv|tsv|txt)\.(gz|zst)$/i;
const NAMES_ITSELF = /\.(jsonl|ndjson|parquet)(\.(gz|zst))?$/i;

export interface SourceHead {
  readonly name: string;
  /** The first bytes; undefined when they are not known yet. */
  readonly head: Buffer | undefined;
}

/** Returns whether a request says what the columns are. */
export function namesColumns({
  hasHeader,
  columns,
}: {
  readonly hasHeader?: unknown;
  readonly columns?: unknown;
}): boolean {
  return hasHeader === true || columns !== undefined;
}

/**
 * Finds fault with a source of columns without names; lines of JSON and Parquet name their members themselves. A packed file whose first
 * bytes unpack to nothing yet is taken for what its name says, and is the worker's to validate where that says nothing.
 */
export function headerProblems({ name, head }: SourceHead): readonly ErrorDetail[] {
  if (NAMES_ITSELF.test(name) || (head !== undefined && mayNameMembers(name, head))) return [];
  const message = "Set `hasHeader` to true, or send `columns`.";
  return [{ path: "/hasHeader", code: "required", message }];
}

function mayNameMembers(name: string, head: Buffer): boolean {
  const unpack = unpackerOf(head);
  if (unpack === undefined) return namesMembers(head);
  const unpacked = unpackedOf(head, unpack);
  return unpacked.length > 0 ? namesMembers(unpacked) : !PACKED_TEXT.test(name);
}

type Unpack = (head: Buffer) => Buffer;

function unpackerOf(head: Buffer): Unpack | undefined {
  const begins = (...bytes: number[]) => head.subarray(0, bytes.length).equals(Buffer.from(bytes));
  const maxOutputLength = UNPACKED_BYTES_MAX;
  if (begins(0x1f, 0x8b))
    return (packed) => gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength });
  if (!begins(0x28, 0xb5, 0x2f, 0xfd)) return undefined;
  return (packed) => zstdDecompressSync(packed, { finishFlush: constants.ZSTD_e_continue, maxOutputLength });
}

/** Returns what the beginning of a file unpacks to: nothing where it is damaged, unpacks to too much, or ends inside of the first block. */
function unpackedOf(head: Buffer, unpack: Unpack): Buffer {
  try {
    return unpack(head);
  } catch (error) {
    if (error instanceof Error && "code" in error) return Buffer.alloc(0);
    throw error;
  }
}

function namesMembers(head: Buffer): boolean {
  const isParquet = head.subarray(0, 4).toString("latin1") === "PAR1";
  return isParquet || jsonBeginning(head) !== undefined;
}
