import type { Row } from "./formats.ts";
import { memberAt } from "./member.ts";
import { toText } from "./text.ts";

/** Lines of RFC 4180; they end in LF, as tools of the shell like them. */
export function toCsvLines(columns: readonly string[], rows: readonly Row[]): string {
  return rows.map((row) => toLine(columns.map((name) => toText(memberAt(row, name))))).join("");
}

export function toCsvHeader(columns: readonly string[]): string {
  return toLine(columns);
}

function toLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(",")}\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
