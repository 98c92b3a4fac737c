/** Bytes of one record of a source. */
export interface RecordSpan {
  readonly kind: "record" | "openQuote" | "tooLong" | "undecodable";
  /** The record without its line end; one that is refused only as far as it is shown. */
  readonly bytes: Buffer;
  /** Line of the source it begins on, from 1. */
  readonly line: number;
  /** Byte of the source that follows it. */
  readonly end: number;
}

export interface SplitRules {
  /** Absent: quotes mean nothing, every line is a record. */
  readonly delimiter: Buffer | undefined;
  /** Line feed, or carriage return where the source has no line feed. */
  readonly newline: number;
}

export interface SplitPosition {
  readonly offset: number;
  readonly line: number;
}

export const LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;
const QUOTE = 34;
/** Limit of one record, an open quote included: what is longer is refused alone. */
export const RECORD_BYTES_MAX = 1024 * 1024;
const DISPLAYED_BYTES = 1_000;

/**
 * Cuts a source into records, in bounded memory: a quote that stays open for 1 MiB, or to the end, refuses the line on which it opens,
 * and splitting goes on at the next line. A quote opens a cell only where the cell begins, as RFC 4180 has it.
 */
export class RecordSplitter {
  readonly #rules: SplitRules;
  #rest: Buffer = Buffer.alloc(0);
  /** Byte of the source at which the rest begins. */
  #offset: number;
  #line: number;
  /** The rest of a record that is refused already is passed over, up to its line end. */
  #isSkipping = false;
  #refused: RecordSpan | undefined;
  /** The latest refusal's look ahead, in bytes of the source: what is open at a line's end before it comes to the same. */
  #ahead: CheckedAhead = { to: 0, isOpen: true };

  constructor(rules: SplitRules, from: SplitPosition) {
    this.#rules = rules;
    this.#offset = from.offset;
    this.#line = from.line;
  }

  push(chunk: Buffer): RecordSpan[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    return this.#take(false);
  }

  end(): RecordSpan[] {
    return this.#take(true);
  }

  #take(isLast: boolean): RecordSpan[] {
    const spans: RecordSpan[] = [];
    while (this.#rest.length > 0) {
      const span = this.#isSkipping ? this.#skip() : this.#next(isLast);
      if (span === undefined) break;
      spans.push(span);
    }
    // The source ends within a record that is refused.
    if (isLast && this.#refused !== undefined) spans.push({ ...this.#refused, end: this.#offset });
    return spans;
  }

  #next(isLast: boolean): RecordSpan | undefined {
    const ahead = { ...this.#ahead, to: this.#ahead.to - this.#offset };
    const { end, isOpen, isWrong, looked: checked } = findEnd(this.#rest, this.#rules, ahead);
    if (end >= 0 && end <= RECORD_BYTES_MAX) return this.#cut(end, "record");
    const isLong = end >= 0 || this.#rest.length > RECORD_BYTES_MAX;
    if (isLong || (isOpen && (isLast || isWrong))) {
      this.#ahead = { to: this.#offset + checked, isOpen };
      return this.#refuse(isOpen ? "openQuote" : "tooLong");
    }
    return isLast ? this.#cut(this.#rest.length, "record") : undefined;
  }

  /** Refuses the line on which the record begins: what follows it is read again. */
  #refuse(kind: "openQuote" | "tooLong"): RecordSpan | undefined {
    const end = this.#rest.indexOf(this.#rules.newline);
    if (end >= 0) return this.#cut(end, kind);
    this.#refused = { kind, bytes: view(this.#rest), line: this.#line, end: 0 };
    this.#isSkipping = true;
    return this.#skip();
  }

  #skip(): RecordSpan | undefined {
    const end = this.#rest.indexOf(this.#rules.newline);
    const to = end < 0 ? this.#rest.length : end + 1;
    this.#offset += to;
    this.#rest = this.#rest.subarray(to);
    const refused = this.#refused;
    if (end < 0 || refused === undefined) return undefined;
    this.#isSkipping = false;
    this.#refused = undefined;
    this.#line += 1;
    return { ...refused, end: this.#offset };
  }

  #cut(end: number, kind: RecordSpan["kind"]): RecordSpan {
    const bytes = this.#rest.subarray(0, end);
    const to = Math.min(end + 1, this.#rest.length);
    const line = this.#line;
    this.#offset += to;
    this.#rest = this.#rest.subarray(to);
    // All line ends of a record but its own stand within quotes.
    this.#line += 1 + (kind === "record" ? countOf(bytes, this.#rules.newline) : 0);
    return { kind, bytes: kind === "record" ? withoutReturn(bytes) : view(bytes), line, end: this.#offset };
  }
}

interface CheckedAhead {
  readonly to: number;
  readonly isOpen: boolean;
}

interface Found {
  /** Position of the line end; -1 when it is not there. */
  readonly end: number;
  readonly isOpen: boolean;
  /** The quotes of several lines make no cell. */
  readonly isWrong: boolean;
  /** Position up to which the bytes were checked. */
  readonly looked: number;
}

/** @param ahead what becomes of a quote that is open at a line's end before that position. */
function findEnd(bytes: Buffer, rules: SplitRules, ahead: CheckedAhead): Found {
  const { delimiter, newline } = rules;
  if (delimiter === undefined) return { end: bytes.indexOf(newline), isOpen: false, isWrong: false, looked: 0 };
  const to = Math.min(bytes.length, RECORD_BYTES_MAX + 1);
  let isOpen = false;
  let isLater = false;
  let index = 0;
  for (; index < to; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      const at = index;
      if (!isOpen) isOpen = index === 0 || endsWith(bytes, index, delimiter);
      else if (bytes[index + 1] === QUOTE) index++;
      else isOpen = false;
      // A quote in the middle of a later line: the one that it seems to close was never meant to stay open.
      if (!isOpen && isLater && !endsCell(bytes, index + 1, rules))
        return { end: -1, isOpen: true, isWrong: true, looked: at };
    } else if (byte === newline) {
      if (!isOpen) return { end: index, isOpen, isWrong: false, looked: index };
      isLater = true;
      if (ahead.to - 1 <= index || ahead.to > to) continue;
      index = ahead.to - 1;
      isOpen = ahead.isOpen;
    }
  }
  return { end: -1, isOpen, isWrong: false, looked: index };
}

function countOf(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}

function endsWith(bytes: Buffer, end: number, delimiter: Buffer): boolean {
  if (delimiter.length === 1) return bytes[end - 1] === delimiter[0];
  return end >= delimiter.length && bytes.subarray(end - delimiter.length, end).equals(delimiter);
}

/** Returns whether a cell ends here. The end of the bytes may be followed by anything: it is checked again with more of them. */
function endsCell(bytes: Buffer, at: number, { delimiter, newline }: SplitRules): boolean {
  const next = bytes[at];
  if (next === undefined || next === newline || next === CARRIAGE_RETURN || next === QUOTE) return true;
  return (
    delimiter === undefined ||
    bytes.subarray(at, at + delimiter.length).equals(delimiter.subarray(0, bytes.length - at))
  );
}

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}

function view(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, DISPLAYED_BYTES));
}
