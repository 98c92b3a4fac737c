import { type Json, parseTime, toJson } from "@headwater/contracts";
import { unmarked } from "@headwater/jobs/files/formulaMark";
import type { Row } from "@headwater/jobs/sources/row";
import { type ImportColumn, isMostly } from "./importColumn.ts";

/** A column as a dry run shows it. */
export interface DescribedColumn {
  readonly column: string;
  /** Path of the member that it writes; null for a column that is left out. */
  readonly member: string | null;
  /** Types of its values, as JSON names them. */
  readonly types: readonly string[];
  /** The first different values, as they would be stored. */
  readonly values: readonly Json[];
  readonly warning?: {
    readonly code: "looks_like_numbers" | "looks_like_dates" | "looks_marked";
    readonly message: string;
  };
}

const VALUES_DISPLAYED = 3;
const VALUE_CHARACTERS = 100;
const COLUMNS_MAX = 1_000;

/**
 * Describes what columns become, by the first rows of their source.
 * @param marked indexes of the columns with a text that looks as an export marks formulas.
 */
export function describeColumns(
  columns: readonly ImportColumn[],
  rows: readonly Row[],
  marked: ReadonlySet<number>,
): DescribedColumn[] {
  return columns.slice(0, COLUMNS_MAX).map((column, position) => {
    const values = rows.flatMap((row) => valueIn(row, column, position) ?? []);
    const warning = column.path === null ? undefined : marked.has(position) ? MARKED : warningOf(values);
    return {
      column: column.name,
      member: column.path,
      types: [...new Set(values.map(typeOf))],
      values: firstDifferent(values),
      ...(warning && { warning }),
    };
  });
}

/** @returns undefined for a cell that says nothing. */
function valueIn(row: Row, { name, readCell }: ImportColumn, place: number): Json | undefined {
  if (row.kind === "cells") {
    const cell = row.cells[place];
    return cell === undefined || cell.text === "" ? undefined : readCell(cell);
  }
  if (row.kind === "broken" || !Object.hasOwn(row.members, name)) return undefined;
  const value = toJson(row.members[name]);
  return value === null ? undefined : value;
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function firstDifferent(values: readonly Json[]): Json[] {
  const view = values.map((value) => (typeof value === "string" ? value.slice(0, VALUE_CHARACTERS) : value));
  const seen = new Map(view.map((value) => [JSON.stringify(value), value]));
  return [...seen.values()].slice(0, VALUES_DISPLAYED);
}

const MARKED = {
  code: "looks_marked",
  message:
    "Texts begin with ' before what looks like a formula, as exports write them: set `formulaSafe` to true, unless the ' belongs to the text.",
} as const;

/** Returns the indexes of the cells of a row that look as an export marks formulas. */
export function markedCells(row: Row): number[] {
  if (row.kind !== "cells") return [];
  return row.cells.flatMap(({ text }, index) => (unmarked(text) === text ? [] : [index]));
}

const DECIMAL_COMMA = /^[-+]?(?:\d{1,3}(?:[. '\u00a0\u202f\u2019]\d{3})+|\d+),\d+$/;
/** Amounts with a sign or code of a currency before or behind them. */
const CURRENCY =
  /^(?:[-+]?(?:\p{Sc}|EUR|USD|GBP|CHF|CAD|AUD|SEK|NOK|DKK|PLN|CZK)\s?[-+]?\d[\d.,' \u00a0\u202f\u2019]*|[-+]?\d[\d.,' \u00a0\u202f\u2019]*(?:\p{Sc}|EUR|USD|GBP|CHF|CAD|AUD|SEK|NOK|DKK|PLN|CZK))$/u;
const GROUPED = /^[-+]?\d{1,3}(?:[,'\u00a0\u202f\u2019 ]\d{3})+(?:\.\d+)?$/;
const DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?: \d{1,2}:\d{2}(:\d{2})?)?$/;
const VALUE_CHARACTERS_MAX = 40;

/** Warns of a column of texts that look like numbers or dates in a notation which the import does not name. */
function warningOf(values: readonly Json[]): DescribedColumn["warning"] {
  const texts = values.filter((value) => typeof value === "string").map((text) => text.trim());
  const numbers = values.filter((value) => typeof value === "number").length;
  const isOther = texts.length + numbers < values.length;
  if (isOther || texts.some((text) => text.length > VALUE_CHARACTERS_MAX)) return undefined;
  // Whole numbers are written alike in every notation: `3` among `1,5`.
  if (isMostly(texts, (text) => DECIMAL_COMMA.test(text)))
    return {
      code: "looks_like_numbers",
      message: 'The texts look like numbers with a decimal comma: set `decimal` to ",".',
    };
  if (isMostly(texts, (text) => GROUPED.test(text)))
    return {
      code: "looks_like_numbers",
      message: 'The texts look like numbers in groups of digits: set `decimal` to ".".',
    };
  if (isMostly(texts, (text) => CURRENCY.test(text)))
    return {
      code: "looks_like_numbers",
      message: "The texts look like amounts with a currency, and stay texts: remove the currency from the file.",
    };
  const isDate = (text: string) => DATE.test(text) && parseTime(text, "UTC") === undefined;
  if (numbers > 0 || !isMostly(texts, isDate)) return undefined;
  return {
    code: "looks_like_dates",
    message: `The texts look like dates: set \`dateFormat\`, such as ${formatsOf(texts)}.`,
  };
}

/** Names the formats that the texts may have: a number above 12 is not a month. */
function formatsOf(texts: readonly string[]): string {
  const dates = texts.flatMap((text) => {
    const found = DATE.exec(text);
    return found === null ? [] : [found];
  });
  const [first] = dates;
  if (first === undefined) return '"dd.mm.yyyy"';
  const [, , separator = ".", , year = ""] = first;
  const time = /:/.test(first[0]) ? ` hh:mm${first[5] === undefined ? "" : ":ss"}` : "";
  const write = (one: string, other: string) => `"${[one, other, "y".repeat(year.length)].join(separator)}${time}"`;
  const isAbove = (part: 1 | 3) => dates.some((date) => Number(date[part]) > 12);
  if (isAbove(1)) return write("dd", "mm");
  return isAbove(3) ? write("mm", "dd") : `${write("dd", "mm")} or ${write("mm", "dd")}`;
}
