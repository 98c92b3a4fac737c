import { canonicalValue, isAddressOf, type Json } from "@headwater/contracts";
import { nearestNames } from "@headwater/criteria";
import { importFailed } from "@headwater/jobs/sources/importError";
import type { Cell, Row } from "@headwater/jobs/sources/row";
import { rowView } from "../rows/rowView.ts";

/** A column of a source, and what it becomes. */
export interface ImportColumn {
  readonly name: string;
  /** Path of its member, as a mapping names it; null for a column that is left out. */
  readonly path: string | null;
  /** Rows are found by it. */
  readonly identifies: boolean;
  /** Returns what a cell of it becomes; undefined for one that changes nothing. */
  readonly readCell: (cell: Cell) => Json | undefined;
}

const DISPLAYED_COLUMNS_MAX = 20;
const DISPLAYED_CHARACTERS = 64;
/** Share of a column's values that have to look alike. */
const ALIKE = 0.8;

/**
 * Refuses a source in which no column says whom or what its rows are about.
 * @param names of the identifiers that there are. @param rows the first of the source.
 */
export function expectIdentifier(
  columns: readonly Omit<ImportColumn, "readCell">[],
  { names, rows }: { readonly names: readonly string[]; readonly rows: readonly Row[] },
): void {
  if (columns.some(({ identifies }) => identifies)) return;
  const values = valuesByColumn(
    rows,
    columns.map(({ name }) => name),
  );
  const view = columns.slice(0, DISPLAYED_COLUMNS_MAX).map(({ name }) => {
    const could = candidatesOf(name, values.get(name) ?? [], names);
    const quoted = JSON.stringify(name.slice(0, DISPLAYED_CHARACTERS));
    return could.length === 0 ? quoted : `${quoted} (could be ${could.join(" or ")})`;
  });
  const more = columns.length > view.length ? `, and ${columns.length - view.length} more` : "";
  throw importFailed(
    `No column is an identifier (${names.join(", ")}). The columns are ${view.join(", ")}${more}. Map one with \`mapping\`.`,
  );
}

/** Returns the texts of the rows' cells by column; a row that cannot be read has none. */
export function valuesByColumn(rows: readonly Row[], header: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>(header.map((name) => [name, []]));
  for (const row of rows) {
    const record = row.kind === "broken" ? undefined : rowView(row, header);
    if (typeof record !== "object" || record === null) continue;
    for (const name of header) {
      const value: unknown = Reflect.get(record, name);
      if (typeof value === "string" ? value.trim() !== "" : typeof value === "number")
        values.get(name)?.push(String(value));
    }
  }
  return values;
}

function candidatesOf(name: string, values: readonly string[], names: readonly string[]): string[] {
  const byName = nearestNames(name.toLowerCase(), names);
  const byValue = [
    ...(isMostly(values, isEmail) ? ["email"] : []),
    ...(isMostly(values, isPhone) ? ["phone"] : []),
    ...(byName.length === 0 && isMostly(values, isKey) && new Set(values).size === values.length
      ? ["customer_id"]
      : []),
  ];
  return [...new Set([...byValue.filter((one) => names.includes(one)), ...byName])];
}

export function isMostly(values: readonly string[], test: (value: string) => boolean): boolean {
  return values.length > 0 && values.filter(test).length >= values.length * ALIKE;
}

function isEmail(value: string): boolean {
  const canonical = canonicalValue("email", value);
  return canonical !== undefined && isAddressOf("email", canonical);
}

const PHONE = /^(?:\+|00)[\d ()/.-]{7,24}$/;

function isPhone(value: string): boolean {
  return PHONE.test(value.trim());
}

const KEY = /^[A-Za-z]{0,4}[-_]?\d{1,20}$/;

function isKey(value: string): boolean {
  return KEY.test(value.trim());
}
