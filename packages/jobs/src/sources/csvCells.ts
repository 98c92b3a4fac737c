import { isUtf8 } from "node:buffer";
import { CsvError, type Options, parse } from "csv-parse/sync";
import { unmarked } from "../files/formulaMark.ts";
import type { Cell, TextForm } from "./row.ts";

export type CellsRead =
  | { readonly kind: "cells"; readonly cells: readonly Cell[] }
  | { readonly kind: "broken"; readonly message: string };

/** A wider row is none of a file that anybody imports, and costs more than its bytes. */
export const CELLS_MAX = 20_000;
const NOT_UTF_8: CellsRead = { kind: "broken", message: "The row is not valid UTF-8." };
const TOO_WIDE: CellsRead = { kind: "broken", message: `The row has more than ${CELLS_MAX} cells.` };
const WRONG_QUOTES: CellsRead = { kind: "broken", message: "The quotes of the row are wrong." };

/** Reads records into cells. Whatever is not plain is left to the parser, which takes five times as long, and costs no other record. */
export function readCells(records: readonly Buffer[], form: TextForm): CellsRead[] {
  const options = optionsOf(form);
  return records.map((record) => {
    if (!isUtf8(record)) return NOT_UTF_8;
    if (form.isAligned === true) return cutAligned(record.toString("utf8"));
    const cells = cutPlain(record.toString("utf8"), form) ?? parsed(record, options);
    if (cells === "tooWide") return TOO_WIDE;
    if (cells === undefined) return WRONG_QUOTES;
    return { kind: "cells", cells: form.isFormulaSafe === true ? cells.map(withoutMark) : cells };
  });
}

function withoutMark({ text, isQuoted }: Cell): Cell {
  return { text: unmarked(text), isQuoted };
}

const QUOTE = '"';

/** Cuts a record whose quotes stand around whole cells. @returns undefined for any other. */
function cutPlain(record: string, { delimiter, newline }: TextForm): Cell[] | "tooWide" | undefined {
  const cells: Cell[] = [];
  // To the parser either line end ends a record then.
  if (newline === "\r" && /[\r\n]/.test(record)) return undefined;
  for (let at = 0; ; at += delimiter.length) {
    const isQuoted = record.startsWith(QUOTE, at);
    const end = isQuoted ? endOfQuoted(record, at + 1) : endOfBare(record, at, delimiter);
    if (end === undefined) return undefined;
    if (cells.length === CELLS_MAX) return "tooWide";
    cells.push({ text: isQuoted ? unquoted(record.slice(at + 1, end - 1)) : record.slice(at, end), isQuoted });
    if (end === record.length) return cells;
    if (!record.startsWith(delimiter, end)) return undefined;
    at = end;
  }
}

const BLANK = /[ \t\r]/;

/** Cuts a line whose cells stand apart by blanks; quotes keep the blanks of a cell. */
function cutAligned(record: string): CellsRead {
  const cells: Cell[] = [];
  for (let at = 0; at < record.length; ) {
    if (BLANK.test(record.charAt(at))) {
      at += 1;
      continue;
    }
    if (cells.length === CELLS_MAX) return TOO_WIDE;
    const isQuoted = record.startsWith(QUOTE, at);
    const end = isQuoted ? endOfQuoted(record, at + 1) : endOfWord(record, at);
    if (end === undefined || (end < record.length && !BLANK.test(record.charAt(end)))) return WRONG_QUOTES;
    cells.push({ text: isQuoted ? unquoted(record.slice(at + 1, end - 1)) : record.slice(at, end), isQuoted });
    at = end;
  }
  return { kind: "cells", cells };
}

function endOfWord(record: string, from: number): number {
  let end = from;
  while (end < record.length && !BLANK.test(record.charAt(end))) end += 1;
  return end;
}

function endOfQuoted(record: string, from: number): number | undefined {
  for (let at = record.indexOf(QUOTE, from); at >= 0; at = record.indexOf(QUOTE, at + 2))
    if (record[at + 1] !== QUOTE) return at + 1;
  return undefined;
}

function endOfBare(record: string, from: number, delimiter: string): number | undefined {
  const found = record.indexOf(delimiter, from);
  const end = found < 0 ? record.length : found;
  for (let at = from; at < end; at += 1) if (record[at] === QUOTE || record[at] === "\n") return undefined;
  return end;
}

function unquoted(text: string): string {
  return text.includes(QUOTE) ? text.replaceAll('""', QUOTE) : text;
}

function optionsOf({ delimiter, newline }: TextForm): Options {
  return {
    delimiter,
    // Records were cut before: a line end within one stands in quotes.
    record_delimiter: newline === "\r" ? ["\n", "\r"] : "\n",
    relax_column_count: true,
    // No cell that is not quoted begins with a quote.
    cast: (text, { quoting, index }) => {
      if (index >= CELLS_MAX) throw new TooWide();
      return quoting ? `"${text}` : text;
    },
  };
}

class TooWide extends Error {}

function toCell(marked: string): Cell {
  const isQuoted = marked.startsWith('"');
  return { text: isQuoted ? marked.slice(1) : marked, isQuoted };
}

/** @returns undefined for what is not one record. */
function parsed(record: Buffer, options: Options): Cell[] | "tooWide" | undefined {
  try {
    const [row, ...others] = parse(record, options);
    return others.length > 0 ? undefined : row?.map(toCell);
  } catch (error) {
    if (error instanceof TooWide) return "tooWide";
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}
