/// <reference lib="esnext.temporal" />
/** One condition on one value, evaluated in memory. */
import type { Value } from "./model.ts";
import type { Comparison, Rule, Span, Window } from "./rule.ts";

export interface Question {
  readonly now: number;
  readonly asOf?: number;
  readonly basis: "recorded" | "event";
  readonly timezone: string;
  readonly currency: string;
}

const SKEW_MS = 5_000;

export function compare(left: number, { op, value }: Comparison): boolean {
  const results: Record<string, boolean> = {
    eq: left === value,
    neq: left !== value,
    gt: left > value,
    gte: left >= value,
    lt: left < value,
    lte: left <= value,
  };
  return results[op] ?? false;
}

/** Negative operators are the complement of their positive ones, missing values included. */
const NEGATIVE: Record<string, string> = {
  neq: "eq",
  notIn: "in",
  notContains: "contains",
  notExists: "exists",
  notInLast: "inLast",
};

export function condition(value: Value | undefined, rule: Rule, question: Question): boolean {
  const positive = NEGATIVE[rule.op ?? ""];
  if (positive !== undefined) return !condition(value, { ...rule, op: positive }, question);
  if (value === undefined || value === null) return false;
  if (rule.op === "exists") return true;
  const isAddress = /^channels\..*\.address$/.test(String(rule.field)) || rule.field === "identifiers.email";
  const ci = rule.ci === true || isAddress;
  const isIdentifier = String(rule.field).startsWith("identifiers.");
  const fold = (text: string) => (ci ? text.toLowerCase() : text);
  const text = asText(value);
  const textIs = (check: (text: string) => boolean) => text !== undefined && check(fold(text));
  const elements = Array.isArray(value) ? value.map((entry) => asText(entry) ?? JSON.stringify(entry)) : undefined;
  const wanted = fold(plainText(rule.value));
  const many: unknown[] = [rule.value].flat();
  const manyTexts = many.map((entry) => fold(plainText(entry)));
  const length = elements?.length;
  switch (rule.op) {
    case "eq":
      if (!isIdentifier && typeof rule.value === "number") return asNumber(value) === rule.value;
      return typeof rule.value === "boolean" ? text?.toLowerCase() === wanted : textIs((t) => t === wanted);
    case "in":
      if (!isIdentifier && typeof many[0] === "number") return many.includes(asNumber(value));
      return textIs((t) => manyTexts.includes(t));
    case "contains":
      return elements ? elements.map(fold).includes(wanted) : textIs((t) => t.includes(wanted));
    case "startsWith":
      return textIs((t) => t.startsWith(wanted));
    case "endsWith":
      return textIs((t) => t.endsWith(wanted));
    case "domain":
      return text?.toLowerCase().endsWith(`@${wanted.toLowerCase()}`) ?? false;
    case "regex":
      return text !== undefined && new RegExp(String(rule.value), ci ? "i" : "").test(text);
    case "containsAny":
      return manyTexts.some((entry) => elements?.includes(entry));
    case "containsAll":
      return elements !== undefined && manyTexts.every((entry) => elements.includes(entry));
    case "lengthEq":
    case "lengthGt":
    case "lengthLt":
      return length !== undefined && compare(length, { op: rule.op.slice(6).toLowerCase(), value: Number(rule.value) });
    case "within":
      return isNear(value, rule.value as Position);
    case "between":
      if (typeof many[0] !== "number") return datePasses(value, rule, question);
      return isWithin(asNumber(value), Number(many[0]), Number(many[1]));
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return compare(asNumber(value) ?? Number.NaN, { op: rule.op, value: Number(rule.value) });
    default:
      return datePasses(value, rule, question);
  }
}

function isWithin(number: number | undefined, low: number, high: number): boolean {
  return number !== undefined && number >= low && number <= high;
}

/** The digits of a number or of a text that says one, moved by so many positions; 0 for all else. */
export function decimal(value: Value | undefined, positions: number): bigint {
  const number = value === undefined || value === null ? undefined : asNumber(value);
  if (number === undefined) return 0n;
  return BigInt(Math.round(number * 10 ** positions));
}

function plainText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function asText(value: Value): string | undefined {
  return typeof value === "string" ? value : typeof value === "object" ? undefined : String(value);
}

function asNumber(value: Value): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** Places of the account's postal codes. */
export const POSTAL_CODES = new Map([["DE 53111", { lat: 50.7, lon: 7.1 }]]);

interface Position {
  readonly postalCode?: string;
  readonly lat: number;
  readonly lon: number;
  readonly distance: number;
  readonly unit: string;
}

/** Great-circle distance by the haversine formula. */
function isNear(value: Value, wanted: Position): boolean {
  const { loc } = value as { readonly loc?: { readonly lat: number; readonly lon: number } | null };
  if (loc === undefined || loc === null) return false;
  const { lat, lon } = wanted.postalCode === undefined ? wanted : { lat: 50.7, lon: 7.1 };
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const [dLat, dLon] = [rad(loc.lat - lat), rad(loc.lon - lon)];
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(rad(loc.lat)) * Math.cos(rad(lat)) * Math.sin(dLon / 2) ** 2;
  return 6_371_000 * 2 * Math.asin(Math.sqrt(h)) <= wanted.distance * (wanted.unit === "km" ? 1_000 : 1_609.344);
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/i;

function instant(text: string, timezone: string): number | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    return isDay(text) ? Temporal.PlainDate.from(text).toZonedDateTime(timezone).epochMilliseconds : undefined;
  }
  const [, day = "", time = "", zone = "Z"] = TIMESTAMP.exec(text) ?? [];
  return isDay(day) && time < "24" ? Date.parse(`${day}T${time}${zone.toUpperCase()}`) : undefined;
}

function isDay(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

function shift(from: number, { n, unit }: Span, sign: number, timezone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(from)
    .toZonedDateTimeISO(["month", "year"].includes(unit) ? timezone : "UTC")
    .add({ [`${unit}s`]: sign * n }).epochMilliseconds;
}

export function inWindow(time: number, window: Window, { now, asOf, timezone }: Question): boolean {
  const reference = asOf ?? now;
  const end = asOf ?? now + SKEW_MS;
  if (window.last) return time >= shift(reference, window.last, -1, timezone) && time < end;
  if (window.next) return time >= reference && time < shift(reference, window.next, 1, timezone);
  if (window.between) {
    const [older, newer] = window.between;
    const points = [older, newer].map((span) => (span.n === 0 ? end : shift(reference, span, -1, timezone)));
    return time >= Math.min(...points) && time < Math.max(...points);
  }
  const from = window.from === undefined ? Number.NEGATIVE_INFINITY : (instant(window.from, timezone) ?? 0);
  const to = window.to === undefined ? Number.POSITIVE_INFINITY : (instant(window.to, timezone) ?? 0);
  return time >= from && time < to;
}

function datePasses(value: Value, rule: Rule, question: Question): boolean {
  const { timezone, now, asOf } = question;
  const time = typeof value === "string" ? instant(value, timezone) : undefined;
  if (time === undefined) return false;
  const reference = asOf ?? now;
  const day = (timestamp: number) =>
    Temporal.Instant.fromEpochMilliseconds(timestamp).toZonedDateTimeISO(timezone).toPlainDate();
  const [low = Number.NaN, high = Number.NaN] = [rule.value].flat().map((text) => instant(plainText(text), timezone));
  const span = rule.value as Span;
  switch (rule.op) {
    case "today":
      return day(time).equals(day(reference));
    case "on":
      return day(time).equals(day(low));
    case "before":
      return time < low;
    case "after":
      return time > low;
    case "between":
      return isWithin(time, low, high);
    case "inLast":
      return inWindow(time, { last: span }, question);
    case "inNext":
      return time >= reference && time < shift(reference, span, 1, timezone);
    default:
      return hasAnniversary(day(time), day(reference), rule.op, span, { reference, timezone });
  }
}

/** Walks day by day from today, forwards or backwards, and searches for the anniversary. */
function hasAnniversary(
  born: Temporal.PlainDate,
  today: Temporal.PlainDate,
  op: string | undefined,
  span: Span,
  { reference, timezone }: { readonly reference: number; readonly timezone: string },
): boolean {
  const sign = op === "anniversaryInNext" ? 1 : -1;
  const daysOf = { minute: 1 / 1_440, hour: 1 / 24 }[span.unit];
  const whole = daysOf === undefined ? span : { n: Math.ceil(span.n * daysOf), unit: "day" };
  const moved = shift(reference, whole, sign, timezone);
  const edge = Temporal.Instant.fromEpochMilliseconds(moved).toZonedDateTimeISO(timezone).toPlainDate();
  for (let day = today, steps = 0; !day.equals(edge) && steps < 800; day = day.add({ days: sign }), steps += 1) {
    const celebrated = Temporal.PlainDate.from({ year: day.year, month: born.month, day: born.day });
    if (celebrated.equals(day)) return true;
  }
  return false;
}
