import { isUtf8 } from "node:buffer";
import { CsvError, type Options, parse } from "csv-parse/sync";
import type { Cell, TextForm } from "./row.ts";

export type CellsRead =
  | { readonly kind: "cells"; readonly cells: readonly Cell[] }
  | { readonly kind: "broken"; readonly message: string };

const NOT_UTF_8: CellsRead = { kind: "broken", message: "The row is not valid UTF-8." };

/** Reads records into cells, all in one go while none is malformed: else one by one, so that a malformed record costs no other. */
export function readCells(records: readonly Buffer[], form: TextForm): CellsRead[] {
  const options = optionsOf(form);
  const all = Buffer.concat(records.flatMap((record) => [record, LINE_END]));
  if (isUtf8(all)) {
    const rows = tryParse(all, options);
    if (rows?.length === records.length) return rows.map((cells) => ({ kind: "cells", cells }));
  }
  return records.map((record) => readOne(record, options));
}

const LINE_END = Buffer.from("\n");

function readOne(record: Buffer, options: Options): CellsRead {
  if (!isUtf8(record)) return NOT_UTF_8;
  const [cells, ...others] = tryParse(record, options) ?? [];
  if (cells === undefined || others.length > 0) {
    return { kind: "broken", message: "The quotes of the row are wrong." };
  }
  return { kind: "cells", cells };
}

function optionsOf({ delimiter, newline }: TextForm): Options {
  return {
    delimiter,
    // Records were cut before: a line end within one stands in quotes.
    record_delimiter: newline === "\r" ? ["\n", "\r"] : "\n",
    relax_column_count: true,
    // No cell that is not quoted begins with a quote.
    cast: (text, { quoting }) => (quoting ? `"${text}` : text),
  };
}

function toCell(marked: string): Cell {
  const isQuoted = marked.startsWith('"');
  return { text: isQuoted ? marked.slice(1) : marked, isQuoted };
}

/** @returns undefined for what is no csv. */
function tryParse(bytes: Buffer, options: Options): Cell[][] | undefined {
  try {
    return parse(bytes, options).map((row) => row.map(toCell));
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}
