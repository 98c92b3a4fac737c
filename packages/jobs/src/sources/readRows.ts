import { isUtf8 } from "node:buffer";
import { shapes } from "@headwater/contracts";
import { parseExact } from "@headwater/http";
import { isDeeperThan } from "@headwater/kernel";
import { readCells } from "./csvCells.ts";
import type { Row, RowPosition, RowsRead, TextForm } from "./row.ts";
import { CARRIAGE_RETURN, LINE_FEED, type RecordSpan, RecordSplitter } from "./splitRecords.ts";

export interface RowsOf {
  /** Plain UTF-8 from the position's byte on. */
  readonly bytes: AsyncIterable<Buffer>;
  readonly form: TextForm;
  readonly from: RowPosition;
  /** Members of JSON whose numbers keep every digit. */
  readonly decimalMembers: ReadonlySet<string>;
  /** Default 500. */
  readonly rowsAtOnce?: number;
}

/** Records that are read together; few enough that reading them is short. */
const RECORDS_AT_ONCE = 500;
const BYTES_AT_ONCE = 512 * 1024;

/** Reads rows in order, some at a time, with the position at which reading would go on after them. Blank lines are no rows. */
export async function* readRows({
  bytes,
  form,
  from,
  decimalMembers,
  rowsAtOnce = RECORDS_AT_ONCE,
}: RowsOf): AsyncGenerator<RowsRead> {
  const splitter = new RecordSplitter(rulesOf(form), from);
  const toRows =
    form.format === "csv"
      ? csvRows
      : (spans: readonly RecordSpan[], index: number) => jsonRows(spans, index, decimalMembers);
  let next = from;
  const read = function* (spans: readonly RecordSpan[]): Generator<RowsRead> {
    for (const some of inParts(spans, rowsAtOnce)) {
      const filled = some
        .filter(({ bytes: text, kind }) => kind !== "record" || !isBlank(text))
        .map((span) => (form.isDecoded === true ? withUndecodable(span) : span));
      const rows = toRows(filled, next.index, form);
      const last = some.at(-1);
      if (last === undefined) continue;
      next = { offset: last.end, line: last.line + linesOf(last, form), index: next.index + rows.length };
      yield { rows, next };
    }
  };
  for await (const chunk of bytes) yield* read(splitter.push(chunk));
  yield* read(splitter.end());
}

/** U+FFFD in UTF-8. */
const REPLACEMENT = Buffer.from("\uFFFD");

function withUndecodable(span: RecordSpan): RecordSpan {
  return span.kind === "record" && span.bytes.includes(REPLACEMENT) ? { ...span, kind: "undecodable" } : span;
}

function rulesOf({ format, delimiter, newline, isAligned = false }: TextForm) {
  return {
    delimiter: format === "csv" && !isAligned ? Buffer.from(delimiter) : undefined,
    newline: newline === "\n" ? LINE_FEED : CARRIAGE_RETURN,
  };
}

function* inParts(spans: readonly RecordSpan[], recordsMax: number): Generator<readonly RecordSpan[]> {
  let from = 0;
  let bytes = 0;
  for (const [index, span] of spans.entries()) {
    bytes += span.bytes.length;
    if (index + 1 - from < recordsMax && bytes < BYTES_AT_ONCE) continue;
    yield spans.slice(from, index + 1);
    from = index + 1;
    bytes = 0;
  }
  if (from < spans.length) yield spans.slice(from);
}

/** Lines from the beginning of a record to what follows it. */
function linesOf({ kind, bytes }: RecordSpan, { newline }: TextForm): number {
  if (kind !== "record" && kind !== "undecodable") return 1;
  let lines = 1;
  const byte = newline === "\n" ? LINE_FEED : CARRIAGE_RETURN;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) lines++;
  return lines;
}

const SPACE = 32;
const TAB = 9;

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN);
}

const BROKEN = {
  openQuote: "A quote that is opened on this line is not closed within 1 MiB.",
  tooLong: "The row is longer than 1 MiB.",
  undecodable: "The row has bytes that mean nothing in its encoding.",
} as const;
const DISPLAYED_CHARACTERS = 1_000;

function broken({ bytes, line }: RecordSpan, index: number, message: string): Row {
  return {
    kind: "broken",
    index,
    line,
    message,
    shown: bytes.toString("utf8").trimEnd().slice(0, DISPLAYED_CHARACTERS),
  };
}

function csvRows(spans: readonly RecordSpan[], first: number, form: TextForm): Row[] {
  const records = spans.filter(({ kind }) => kind === "record");
  const cells = readCells(
    records.map(({ bytes }) => bytes),
    form,
  ).values();
  return spans.map((span, position): Row => {
    const index = first + position;
    if (span.kind !== "record") return broken(span, index, BROKEN[span.kind]);
    const read = cells.next().value;
    if (read?.kind === "cells") return { kind: "cells", index, line: span.line, cells: read.cells };
    return broken(span, index, read?.message ?? "The row cannot be read.");
  });
}

function jsonRows(spans: readonly RecordSpan[], first: number, decimalMembers: ReadonlySet<string>): Row[] {
  return spans.map((span, place): Row => {
    const index = first + place;
    if (span.kind !== "record") return broken(span, index, BROKEN[span.kind]);
    if (!isUtf8(span.bytes)) return broken(span, index, "The row is not valid UTF-8.");
    const members = parseObject(span.bytes.toString("utf8"), decimalMembers);
    if (members === undefined) return broken(span, index, "The line is not a JSON object.");
    if (isDeeperThan(members, shapes.bounds.bodyDepth)) {
      return broken(span, index, `The line is nested more than ${shapes.bounds.bodyDepth} levels deep.`);
    }
    return { kind: "object", index, line: span.line, members };
  });
}

/** @returns undefined for what is no JSON object. */
function parseObject(text: string, decimalMembers: ReadonlySet<string>): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseExact(text, decimalMembers);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
