import { SCALAR_CHARACTERS_MAX } from "@headwater/contracts";
import type { FieldType } from "../criteria.ts";
import type { Binder } from "./binder.ts";
import { type Range, rangeSql } from "./clock.ts";
import { dateSql, textDateInSql } from "./textDates.ts";

/** SQL that reads one value in each of the ways an operator may ask for; every expression may be NULL when it is missing. */
export interface ValueSql {
  readonly exists: string;
  /** The text of a string, number or boolean. `whole` says that it is only compared as a whole with these texts. */
  text(whole?: readonly string[]): string;
  readonly number: string;
  /** The number, or 0 where there is none: cheaper, for tests that 0 fails. */
  readonly numberOrZero?: string;
  /** DateTime64(3) of an ISO 8601 text; `timezone` is an IANA name. */
  date(timezone: string, bind: Binder): string;
  /** Compiles whether the date lies in the range. */
  dateIn(range: Range, timezone: string, bind: Binder): string;
  readonly isArray: string;
  /** Array(Nullable(String)); empty when the value is no array. */
  readonly elements: string;
  readonly boolean: string;
  readonly latitude: string;
  readonly longitude: string;
  /** A cheap test on the raw document that is true wherever the value may be one of these texts. */
  prefilter?(whole: readonly string[]): string | undefined;
}

/** A row of the contact fields: its columns or expressions for them. */
export interface FieldRow {
  readonly kind: string;
  readonly text: string;
  readonly number: string;
}

/** A value of a contact, of which a type may be declared. */
export function fieldValue(row: FieldRow, declared?: FieldType): ValueSql {
  const { kind, text, number } = row;
  const ofKind = (kinds: string, sql: string) => `if(${kind} IN (${kinds}), ${sql}, NULL)`;
  return {
    exists: `${kind} != 'removed'`,
    text: (whole) => (whole?.every(isScalar) ? text : ofKind("'string', 'number', 'boolean'", text)),
    number,
    // Only strings look like dates, whatever the kind.
    ...textDates(text),
    isArray: `${kind} = 'array'`,
    elements: `if(${kind} = 'array', JSONExtract(${text}, 'Array(Nullable(String))'), [])`,
    boolean: declared === "boolean" ? declaredBooleanSql(row) : booleanSql(ofKind("'boolean', 'string'", text)),
    latitude: ofKind("'object'", `JSONExtract(${text}, 'loc', 'lat', 'Nullable(Float64)')`),
    longitude: ofKind("'object'", `JSONExtract(${text}, 'loc', 'lon', 'Nullable(Float64)')`),
  };
}

/** A member of a JSON document: `document` is a column, `segments` the names on the way to it. */
export function jsonValue(document: string, segments: readonly string[], bind: Binder): ValueSql {
  const path = [document, ...segments.map((segment) => bind.string(segment))].join(", ");
  const type = `JSONType(${path})`;
  const text = `JSONExtract(${path}, 'Nullable(String)')`;
  const scalar = `if(${type} IN ('Array', 'Object', 'Null'), NULL, ${text})`;
  return {
    exists: `${type} != 'Null'`,
    text: (whole) => (whole?.every(isScalar) ? text : scalar),
    number: `toFloat64OrNull(${text})`,
    numberOrZero: `JSONExtractFloat(${path})`,
    ...textDates(text),
    isArray: `${type} = 'Array'`,
    elements: `JSONExtract(${path}, 'Array(Nullable(String))')`,
    boolean: booleanSql(text),
    latitude: `JSONExtract(${path}, 'loc', 'lat', 'Nullable(Float64)')`,
    longitude: `JSONExtract(${path}, 'loc', 'lon', 'Nullable(Float64)')`,
    prefilter: (whole) => prefilterSql(document, whole, bind),
  };
}

/** A column that always has a value of the one type. */
export function columnValue(column: string, type: "string" | "date" | "number"): ValueSql {
  return {
    exists: "1",
    text: () => (type === "string" ? column : "NULL"),
    number: type === "number" ? column : "NULL",
    date: () => (type === "date" ? column : "NULL"),
    dateIn: (range, _, bind) => (type === "date" ? rangeSql(column, range, bind) : "NULL"),
    isArray: "0",
    elements: "emptyArrayString()",
    boolean: "NULL",
    latitude: "NULL",
    longitude: "NULL",
  };
}

/** A text that no array, object or removed value is stored as: comparing with it needs no check of the kind. */
function isScalar(value: string): boolean {
  return /^[^[{]/.test(value);
}

function textDates(text: string): Pick<ValueSql, "date" | "dateIn"> {
  return {
    date: (timezone, bind) => dateSql(text, timezone, bind),
    dateIn: (range, timezone, bind) => textDateInSql(text, range, { timezone, bind }),
  };
}

function booleanSql(text: string): string {
  return `multiIf(lower(${text}) = 'true', 1, lower(${text}) = 'false', 0, NULL)`;
}

/** Reads a boolean as `castAttribute` reads a value of a declared attribute: a short text may say it in digits and with spaces around it. */
export function declaredBooleanSql({ kind, text }: FieldRow): string {
  const said = `lower(trimBoth(${text}))`;
  const isShort = `${kind} IN ('boolean', 'string') AND length(${text}) <= ${SCALAR_CHARACTERS_MAX}`;
  return `multiIf(NOT (${isShort}), NULL, ${said} IN ('true', '1'), 1, ${said} IN ('false', '0'), 0, NULL)`;
}

const PLAIN = /^[A-Za-z0-9 _-]{2,}$/;

/** Texts of plain letters and digits stand in the JSON as they are, so a search of the bytes spares most of the parsing. */
function prefilterSql(document: string, whole: readonly string[], bind: Binder): string | undefined {
  if (whole.length > 8 || !whole.every((value) => PLAIN.test(value))) return undefined;
  const [first] = whole;
  if (whole.length === 1 && first !== undefined) return `position(${document}, ${bind.string(first)}) > 0`;
  return `multiSearchAny(${document}, ${bind.strings(whole)})`;
}
