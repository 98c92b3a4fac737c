import type { Row } from "./formats.ts";
import { toText } from "./text.ts";

/** RFC 4180 with a header line; lines end in LF, as tools of the shell like them. */
export function toCsv(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => toText(row[name])))];
  return lines.map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
