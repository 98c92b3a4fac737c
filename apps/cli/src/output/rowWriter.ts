import type { Call } from "../call.ts";
import { toCsvHeader, toCsvLines } from "./csv.ts";
import type { Format, Row } from "./formats.ts";
import { layOut, type TableLayout } from "./table.ts";

/** Writes rows as they come, and keeps nothing of them but the layout. */
export interface RowWriter {
  /** Writes rows. A table takes its widths from the first ones. */
  write(rows: readonly Row[]): void;
  /** Writes what follows the last row; a table or CSV without rows still has its header. */
  end(): void;
}

type Shower = Pick<Call, "terminal" | "options">;

export function createRowWriter(call: Shower, columns: readonly string[]): RowWriter {
  const makers = { table: tableWriter, json: jsonWriter, ndjson: ndjsonWriter, csv: csvWriter } satisfies Record<
    Format,
    (call: Shower, columns: readonly string[]) => RowWriter
  >;
  return makers[call.options.format](call, columns);
}

function tableWriter({ terminal }: Shower, columns: readonly string[]): RowWriter {
  let layout: TableLayout | undefined;
  const write = (rows: readonly Row[]) => {
    const isFirst = layout === undefined;
    layout ??= layOut(columns, rows, terminal);
    terminal.out(`${isFirst ? layout.header : ""}${layout.lines(rows)}`);
  };
  return {
    write,
    end: () => {
      if (layout === undefined) write([]);
    },
  };
}

/** One array: in one line for programs, indented for people. */
function jsonWriter({ terminal }: Shower): RowWriter {
  const [open, between, close] = terminal.isOutTerminal ? ["[\n  ", ",\n  ", "\n]\n"] : ["[", ",", "]\n"];
  let written = 0;
  return {
    write(rows) {
      const texts = rows.map((row) => jsonOf(row, terminal.isOutTerminal).replaceAll("\n", "\n  "));
      if (texts.length > 0) terminal.out(`${written === 0 ? open : between}${texts.join(between)}`);
      written += texts.length;
    },
    end: () => terminal.out(written === 0 ? "[]\n" : close),
  };
}

function ndjsonWriter({ terminal }: Shower): RowWriter {
  return {
    write: (rows) => terminal.out(rows.map((row) => `${JSON.stringify(row)}\n`).join("")),
    end: () => undefined,
  };
}

function csvWriter({ terminal }: Shower, columns: readonly string[]): RowWriter {
  let header = toCsvHeader(columns);
  const write = (rows: readonly Row[]) => {
    terminal.out(`${header}${toCsvLines(columns, rows)}`);
    header = "";
  };
  return { write, end: () => write([]) };
}

/** Writes JSON on one line for programs, indented for people. */
export function jsonOf(value: unknown, isForPeople: boolean): string {
  return JSON.stringify(value, undefined, isForPeople ? 2 : undefined);
}
