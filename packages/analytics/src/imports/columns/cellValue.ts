import { type AttributeRules, type Json, toJson } from "@headwater/contracts";
import type { Cell } from "@headwater/jobs/sources/row";
import type { Notation } from "./notation.ts";

/** `unchanged`: the cell says nothing. `null` removes. */
export type CellValue = { readonly kind: "unchanged" } | { readonly kind: "value"; readonly value: Json };

export interface CellRules {
  /** Absent: numbers and dates are written as exports write them. */
  readonly notation?: Notation | undefined;
  /** Absent: no text removes. */
  readonly nullMarker: string | undefined;
  /** An empty cell is an empty text. */
  readonly storesEmpty: boolean;
}

export const UNCHANGED: CellValue = { kind: "unchanged" };

/** The value of a cell before its type is known: a text, or null for the marker. */
export function textOf({ text }: Cell, { nullMarker, storesEmpty }: CellRules): CellValue {
  if (nullMarker !== undefined && text === nullMarker) return { kind: "value", value: null };
  return text === "" && !storesEmpty ? UNCHANGED : { kind: "value", value: text };
}

/** A number as exports write it: its shortest digits. Others, such as postcodes, are texts. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const NUMBER_CHARACTERS_MAX = 24;

/**
 * Reads the text of an attribute. A declared type reads texts itself, but for arrays and objects, which stand as JSON; without one, what
 * is not quoted and is written as a number or a boolean is one, so that exported values come back as they were.
 */
export function attributeValueOf(
  cell: Cell,
  name: string,
  { rules, notation }: { readonly rules?: AttributeRules | undefined; readonly notation?: Notation | undefined },
): Json {
  const { text, isQuoted } = cell;
  const type = rules?.get(name)?.type ?? "auto";
  const noted = notation === undefined ? undefined : notedValue(cell, type, notation);
  if (noted !== undefined) return noted;
  if (type === "array" || type === "geo" || type === "auto") {
    const parsed = structureOf(text);
    if (parsed !== undefined) return parsed;
  }
  if (type !== "auto" || isQuoted) return text;
  if (text === "true" || text === "false") return text === "true";
  if (notation?.hasDecimal === true || text.length > NUMBER_CHARACTERS_MAX || !NUMBER.test(text)) return text;
  const number = Number(text);
  return String(number) === text ? number : text;
}

const SIGNIFICANT_DIGITS_MAX = 15;

/** Reads a cell in the notation of its source; undefined for one that is not a number or date in it. */
function notedValue({ text, isQuoted }: Cell, type: string, notation: Notation): Json | undefined {
  if (type === "number") return notation.number(text);
  if (type === "date") return notation.date(text);
  if (type !== "auto") return undefined;
  const date = notation.date(text);
  if (date !== undefined) return date;
  const number = notation.number(text);
  // Quotes are needed around a decimal comma, and make a text of digits alone.
  if (number === undefined || (isQuoted && !number.includes("."))) return undefined;
  return number.replace(/\D/g, "").length > SIGNIFICANT_DIGITS_MAX ? number : Number(number);
}

/** Reads a time in the notation of its source; any other text as it is. */
export function timeOf(text: string, notation: Notation | undefined): string {
  return notation?.date(text) ?? text;
}

/** @returns undefined for a text that is no JSON array or object. */
function structureOf(text: string): Json | undefined {
  if (!text.startsWith("[") && !text.startsWith("{")) return undefined;
  try {
    return toJson(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const MEMBERS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ["1", true],
  ["0", false],
  ["true", true],
  ["false", false],
  ["yes", true],
  ["no", false],
  ["y", true],
  ["n", false],
  [1, true],
  [0, false],
  [true, true],
  [false, false],
]);

/** Reads whether the contact is on the list; undefined for a value that says neither. */
export function membershipOf(value: unknown): boolean | undefined {
  return MEMBERS.get(typeof value === "string" ? value.trim().toLowerCase() : value);
}
