import { styleText } from "node:util";
import type { Row } from "./formats.ts";
import { toText } from "./text.ts";

const GAP = "  ";

/** Columns as wide as their widest cell, numbers to the right. */
export function toTable(columns: readonly string[], rows: readonly Row[], hasColours: boolean): string {
  const cells = rows.map((row) => columns.map((name) => toCell(row[name])));
  const widths = columns.map((name, at) => Math.max(name.length, ...cells.map((line) => line[at]?.length ?? 0)));
  const isNumber = columns.map((name) => rows.length > 0 && rows.every((row) => typeof row[name] === "number"));
  const toLine = (line: readonly string[]) =>
    line
      .map((cell, at) => pad(cell, widths[at] ?? 0, isNumber[at] ?? false))
      .join(GAP)
      .trimEnd();
  const header = toLine(columns.map((name) => name.toUpperCase()));
  return `${[hasColours ? bold(header) : header, ...cells.map(toLine)].join("\n")}\n`;
}

/** One member a line, names aligned. */
export function toCard(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}${GAP}${toCell(value)}\n`)
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
