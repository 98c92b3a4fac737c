import { unzipSync } from "fflate";
import { readSheet } from "read-excel-file/universal";
import { GROWTH_MAX, isBomb } from "./compression.ts";
import { CELLS_MAX } from "./csvCells.ts";
import { SourceRefused } from "./sourceRefused.ts";

const MIB = 1024 * 1024;
/** A workbook is read as a whole. */
export const WORKBOOK_BYTES_MAX = 64 * MIB;
const UNPACKED_BYTES_MAX = 256 * MIB;
const ENTRIES_MAX = 10_000;
const FIRST_SHEET = 1;

/** A cell as the sheet has it. Dates are wall-clock times, in UTC. */
type SheetCell = string | number | boolean | Date | null;

/**
 * Reads the first sheet of an `.xlsx` file as the lines of a csv: texts in quotes, numbers and booleans without them, dates in ISO 8601.
 * @param decimal sign before the fraction of numbers. @throws SourceRefused for what is not a workbook, is damaged, or passes a bound.
 */
export async function* csvOfWorkbook(bytes: Uint8Array<ArrayBuffer>, decimal: "." | ","): AsyncGenerator<string> {
  expectWorkbook(bytes);
  const rows = await readRows(bytes);
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (width > CELLS_MAX) throw new SourceRefused(`The first sheet has more than ${CELLS_MAX} columns.`);
  for (const row of rows) {
    const isEmpty = row.every((cell) => cell === null || cell === "");
    const cells = Array.from({ length: width }, (_, index) => textOf(row[index] ?? null, decimal));
    yield isEmpty ? "\n" : `${cells.join(",")}\n`;
  }
}

/** Adds up what the entries say they unpack to, before any of them is unpacked. */
function expectWorkbook(bytes: Uint8Array): void {
  let [entries, unpacked, isWorkbook] = [0, 0, false];
  const count = ({ name, originalSize }: { readonly name: string; readonly originalSize: number }) => {
    entries += 1;
    unpacked += originalSize;
    isWorkbook ||= name === "xl/workbook.xml";
    return false;
  };
  try {
    unzipSync(bytes, { filter: count });
  } catch (error) {
    throw new SourceRefused("The source is a damaged or cut zip archive.", { cause: error });
  }
  if (!isWorkbook)
    throw new SourceRefused("The source is a zip archive that is not an .xlsx workbook: unpack it first.");
  if (entries > ENTRIES_MAX) throw new SourceRefused(`The workbook has more than ${ENTRIES_MAX} parts.`);
  if (isBomb(unpacked, bytes.length)) throw new SourceRefused(`The workbook grows more than ${GROWTH_MAX} times.`);
  if (unpacked > UNPACKED_BYTES_MAX)
    throw new SourceRefused(`The workbook exceeds ${UNPACKED_BYTES_MAX / MIB} MiB when it is unpacked: export a csv.`);
}

async function readRows(bytes: Uint8Array<ArrayBuffer>): Promise<readonly (readonly SheetCell[])[]> {
  try {
    const rows: readonly (readonly unknown[])[] = await readSheet(bytes.buffer, FIRST_SHEET, { trim: false });
    return rows.map((row) => row.map(toCell));
  } catch (error) {
    throw new SourceRefused("The workbook cannot be read: it is damaged, or has no sheet.", { cause: error });
  }
}

function toCell(value: unknown): SheetCell {
  const isKnown = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isKnown || value instanceof Date ? value : null;
}

function textOf(cell: SheetCell, decimal: "." | ","): string {
  if (cell === null) return "";
  if (typeof cell === "string") return quoted(cell);
  if (typeof cell === "boolean") return String(cell);
  if (typeof cell === "number") return decimal === "." ? String(cell) : quotedDecimal(cell);
  return dateText(cell);
}

/** A number with a decimal comma stands in quotes, as the comma is the separator. */
function quotedDecimal(number: number): string {
  const text = String(number);
  return text.includes(".") ? quoted(text.replace(".", ",")) : text;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const MIDNIGHT = "T00:00:00.000Z";

function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  const text = date.toISOString();
  return text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : text.slice(0, -"Z".length);
}
