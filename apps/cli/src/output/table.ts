import { styleText } from "node:util";
import type { Row } from "./formats.ts";
import { memberAt } from "./member.ts";
import { toText } from "./text.ts";

const GAP = "  ";

/** How a table is drawn: made from its first rows, so that the rest can follow as it comes. */
export interface TableLayout {
  /** With its line end. */
  readonly header: string;
  lines(rows: readonly Row[]): string;
}

/** Columns as wide as their widest cell of the given rows, numbers to the right. */
export function layOut(columns: readonly string[], rows: readonly Row[], hasColours: boolean): TableLayout {
  const cellsOf = (row: Row) => columns.map((name) => toCell(memberAt(row, name)));
  const cells = rows.map(cellsOf);
  const widths = columns.map((name, at) => Math.max(name.length, ...cells.map((line) => line[at]?.length ?? 0)));
  const isNumber = columns.map(
    (name) => rows.length > 0 && rows.every((row) => typeof memberAt(row, name) === "number"),
  );
  const toLine = (line: readonly string[]) =>
    line
      .map((cell, at) => pad(cell, widths[at] ?? 0, isNumber[at] ?? false))
      .join(GAP)
      .trimEnd();
  const header = toLine(columns.map((name) => name.toUpperCase()));
  return {
    header: `${hasColours ? bold(header) : header}\n`,
    lines: (more) => more.map((row) => `${toLine(cellsOf(row))}\n`).join(""),
  };
}

/** One member a line, names aligned. */
export function toCard(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}${GAP}${toCell(value)}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}

/** Control characters in a name must not move the cursor of who looks at it. */
function toCell(value: unknown): string {
  return toText(value).replace(/\p{Cc}/gu, " ");
}

function pad(cell: string, width: number, isNumber: boolean): string {
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}

function bold(text: string): string {
  return styleText("bold", text, { validateStream: false });
}
