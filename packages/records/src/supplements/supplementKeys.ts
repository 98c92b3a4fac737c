import { type Json, parsePlainTime, parseTime, type shapes, toPlainTime, type Written } from "@headwater/contracts";
import { withoutTrailing } from "@headwater/kernel";
import type { SupplementIndexSlot } from "./supplement.ts";
import { fitsIndex, geoTexts, isNumeric } from "./supplementTypes.ts";

/**
 * Values as texts that sort by bytes as the values do: numbers as numbers of any length, dates as times, strings by their bytes.
 * A key is `=` and the value; of an array one for each element; of a geo value one for each member, with its name before the `=`.
 */
const IS = "=";
/** Sorts after every value: of a record whose field is absent, removed or of another type. */
const NONE = "~";
/** Sorts before all that begins with `=`, and after it. */
const AFTER_IS = ">";
/** Suffix that makes the next key: no text holds NUL, so none lies between. */
const NEXT = "\u0001";

type Indexed = Pick<SupplementIndexSlot, "field" | "type" | "timezone">;

/** The entries of a record in an index: exactly one where it can be sorted by, any number for arrays and geo values. */
export function entryKeys({ field, type, timezone }: Indexed, members: ReadonlyMap<string, Written>): string[] {
  const value = members.get(field)?.value ?? null;
  const fits = value !== null && fitsIndex(type, value);
  if (type === "array") return fits && Array.isArray(value) ? [...new Set(value.map(elementKey))] : [];
  if (type === "geo") return fits ? geoKeys(value) : [];
  return [fits ? IS + encode[type](value, timezone) : NONE];
}

const encode = {
  string: (value: Json) => String(value),
  number: (value: Json) => encodeNumber(String(value)),
  date: (value: Json, timezone: string) => encodeTime(parsePlainTime(String(value), timezone) ?? 0),
} as const;

function elementKey(element: Json): string {
  return IS + (typeof element === "string" ? element : JSON.stringify(element));
}

function geoKeys(value: Json): string[] {
  return Object.entries(Object(value)).flatMap(([name, inner]) => {
    if (geoTexts.has(name)) return typeof inner === "string" ? [name + IS + inner] : [];
    const { lat, lon } = Object(inner);
    return [`loc.lat${IS}${encodeNumber(String(lat))}`, `loc.lon${IS}${encodeNumber(String(lon))}`];
  });
}

const EXPONENT_MIDDLE = 50_000;
const EXPONENT_DIGITS = 5;
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Sign, exponent of 0.ddd, digits; all turned round for what is below zero, with an end that sorts after every digit. */
export function encodeNumber(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] = NUMBER.exec(text) ?? [];
  const all = whole + fraction;
  const digits = withoutTrailing(all.replace(/^0+/, ""), "0");
  if (digits === "") return "1";
  const leading = all.length - all.replace(/^0+/, "").length;
  const exponent = String(EXPONENT_MIDDLE + whole.length - leading + Number(power)).padStart(EXPONENT_DIGITS, "0");
  if (sign !== "-") return `2${exponent}${digits}`;
  return `0${turned(exponent)}${turned(digits)}${NONE}`;
}

function turned(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}

/** Milliseconds of the years 0 to 9999, all of 16 digits. */
function encodeTime(ms: number): string {
  return String(TIME_MIDDLE + ms);
}

const TIME_MIDDLE = 2_000_000_000_000_000;

export type Comparison = "eq" | "gt" | "gte" | "lt" | "lte";

/** Keys of an index from `from`, included, to `to`, excluded. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** Condition of a filter on an index. `member` is the path in a geo value, else empty. */
export interface FieldFilter {
  readonly member: string;
  readonly comparison: Comparison;
  readonly text: string;
}

/**
 * The entries that pass the filter; undefined for a value that the index's type cannot be compared with. A date alone equals its
 * whole day.
 */
export function rangeOf({ type, timezone }: Indexed, { member, comparison, text }: FieldFilter): KeyRange | undefined {
  const plain = type === "date" ? toPlainTime(text) : undefined;
  const next = plain !== undefined && comparison === "eq" ? dayAfter(plain) : undefined;
  if (plain !== undefined && next !== undefined) {
    const [from, to] = [plain, next].map((day) => encodeText("date", day, timezone));
    return from === undefined || to === undefined ? undefined : { from: IS + from, to: IS + to };
  }
  const value = encodeText(memberType(type, member), text, timezone);
  return value === undefined ? undefined : compared(member + IS, comparison, value);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

function dayAfter(text: string): string | undefined {
  const time = DAY.test(text) ? parseTime(text) : undefined;
  return time === undefined ? undefined : new Date(time + DAY_MS).toISOString().slice(0, text.length);
}

/** Returns whether all entries of the range have one key, and so are in order of id. */
export function isOneKey({ from, to }: KeyRange): boolean {
  return to === from + NEXT;
}

type TextType = Exclude<shapes.SupplementIndex["type"], "geo">;

function memberType(type: shapes.SupplementIndex["type"], member: string): TextType {
  if (type !== "geo") return type;
  return geoTexts.has(member) ? "string" : "number";
}

function encodeText(type: TextType, text: string, timezone: string): string | undefined {
  if (type === "string" || type === "array") return text;
  if (type === "number") return isNumeric(text) ? encodeNumber(text) : undefined;
  const time = parseTime(text, timezone);
  return time === undefined ? undefined : encodeTime(time);
}

function compared(prefix: string, comparison: Comparison, value: string): KeyRange {
  const [key, last] = [prefix + value, prefix.slice(0, -1) + AFTER_IS];
  switch (comparison) {
    case "eq":
      return { from: key, to: key + NEXT };
    case "gt":
      return { from: key + NEXT, to: last };
    case "gte":
      return { from: key, to: last };
    case "lt":
      return { from: prefix, to: key };
    case "lte":
      return { from: prefix, to: key + NEXT };
  }
}

/** Returns the keys that pass both; its `from` is not below its `to` when none does. */
export function narrowed(a: KeyRange, b: KeyRange): KeyRange {
  return {
    from: compareKeys(a.from, b.from) > 0 ? a.from : b.from,
    to: compareKeys(a.to, b.to) < 0 ? a.to : b.to,
  };
}

/** Compares by bytes, as Postgres sorts keys and ids. */
export function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export function isWithin(key: string, { from, to }: KeyRange): boolean {
  return compareKeys(key, from) >= 0 && compareKeys(key, to) < 0;
}
