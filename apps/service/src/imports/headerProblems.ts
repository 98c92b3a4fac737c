import type { ErrorDetail } from "@headwater/kernel";

/** Bytes of a source that are looked at. */
export const HEAD_BYTES = 512;

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
 * Finds fault with a source of columns without names; lines of JSON and Parquet name their members themselves. Whether a compressed file
 * is one of those shows only to the worker.
 */
export function headerProblems({ name, head }: SourceHead): readonly ErrorDetail[] {
  if (NAMES_ITSELF.test(name) || (head !== undefined && mayNameMembers(head))) return [];
  const message = "Set `hasHeader` to true, or send `columns`.";
  return [{ path: "/hasHeader", code: "required", message }];
}

function mayNameMembers(head: Buffer): boolean {
  const begins = (...bytes: number[]) => head.subarray(0, bytes.length).equals(Buffer.from(bytes));
  const isPacked = begins(0x1f, 0x8b) || begins(0x28, 0xb5, 0x2f, 0xfd);
  const isParquet = head.subarray(0, 4).toString("latin1") === "PAR1";
  // A mark, and the NULs of UTF-16, may stand around the first brace.
  return isPacked || isParquet || /^[\uFFFD\uFEFF\0\s]*\{/.test(head.toString("utf8"));
}
