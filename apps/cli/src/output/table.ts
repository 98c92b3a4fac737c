import { styleText } from "node:util";
import type { Row } from "./formats.ts";
import { memberAt } from "./member.ts";
import { toText } from "./text.ts";

const GAP = "  ";
/** Width of a cell on a terminal; programs get whole values. */
const CELL_CHARACTERS_MAX = 60;

/** Layout of a table: made from its first rows, so that the rest can follow as it comes. */
export interface TableLayout {
  /** Header with its line end. */
  readonly header: string;
  lines(rows: readonly Row[]): string;
}

export interface TableStyle {
  readonly hasColours: boolean;
  readonly isOutTerminal: boolean;
}

/** Columns as wide as their widest cell of the given rows, numbers to the right. A path of names is headed by its last. */
export function layOut(columns: readonly string[], rows: readonly Row[], check: TableStyle): TableLayout {
  const { hasColours, isOutTerminal } = check;
  const toCut = (cell: string) =>
    isOutTerminal && cell.length > CELL_CHARACTERS_MAX ? `${cell.slice(0, CELL_CHARACTERS_MAX - 1)}…` : cell;
  const cellsOf = (row: Row) => columns.map((name) => toCut(toCell(memberAt(row, name))));
  const headings = columns.map((name) => name.slice(name.lastIndexOf(".") + 1).toUpperCase());
  const cells = [headings, ...rows.map(cellsOf)];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const isNumber = columns.map(
    (name) => rows.length > 0 && rows.every((row) => typeof memberAt(row, name) === "number"),
  );
  const toLine = (line: readonly string[]) =>
    line
      .map((cell, at) => pad(cell, widths[at] ?? 0, isNumber[at] ?? false))
      .join(GAP)
      .trimEnd();
  const header = toLine(headings);
  return {
    header: `${hasColours ? bold(header) : header}\n`,
    lines: (more) => more.map((row) => `${toLine(cellsOf(row))}\n`).join(""),
  };
}

/** One member a line, names aligned; members within members by their path. */
export function toCard(row: Row): string {
  const members = flat(row, "");
  const width = Math.max(...members.map(([name]) => name.length));
  return members
    .map(([name, value]) => `${name.padEnd(width)}${GAP}${toCell(value)}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}

function flat(row: object, path: string): (readonly [string, unknown])[] {
  return Object.entries(row).flatMap(([name, value]): (readonly [string, unknown])[] => {
    const isInner = typeof value === "object" && value !== null && !Array.isArray(value);
    return isInner && Object.keys(value).length > 0 ? flat(value, `${path}${name}.`) : [[`${path}${name}`, value]];
  });
}

/** Control characters in a name must not move the cursor of a terminal. */
function toCell(value: unknown): string {
  return toText(value).replace(/\p{Cc}/gu, " ");
}

function pad(cell: string, width: number, isNumber: boolean): string {
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}

function bold(text: string): string {
  return styleText("bold", text, { validateStream: false });
}
