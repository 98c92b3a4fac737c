import { MESSAGE_DATA_LIMITS, type MessageDataCondition, type MessageDataSource } from "@headwater/contracts";
import type { Sliced } from "@headwater/kernel";
import type { ComparisonBudget } from "./comparisonBudget.ts";

/** Comparisons up to which the engine's own search is faster than any table: its worst case is the product of both lengths. */
const COMPARISONS_FEW_MAX = 65_536;

type Value = string | number | boolean;

/**
 * Returns the records that a message shows: those for which all conditions hold, in the order asked for, else in the one given.
 * @param budget what the conditions may compare; once it is exhausted, the result is of no use.
 */
export function* selectRecords<Record extends object>(
  records: readonly Record[],
  { where = [], sort, limit }: Pick<MessageDataSource, "where" | "sort" | "limit">,
  budget: ComparisonBudget,
): Sliced<Record[]> {
  const stored: Record[] = [];
  for (const record of records) {
    if (budget.isExhausted) break;
    if (fitsConditions(record, where, budget)) stored.push(record);
    yield;
  }
  return (sort === undefined ? stored : sorted(stored, sort)).slice(0, limit);
}

/**
 * Returns whether all conditions hold for a record.
 * @param budget what they may compare: a condition that it does not suffice for does not hold, a negative one neither.
 */
export function fitsConditions(
  record: object,
  conditions: readonly MessageDataCondition[],
  budget: ComparisonBudget,
): boolean {
  return conditions.every((condition) => {
    if (budget.isExhausted) return false;
    const value = memberAt(record, condition.field);
    return budget.spend(costOf(value, condition)) && holds(value, condition);
  });
}

/** Cost of a condition, and of each comparison of two values, in characters: they take about as long as so many. */
const CONDITION_COST = 32;
const COMPARISON_COST = 24;

/** Returns the characters that a condition may compare at most. */
function costOf(value: unknown, condition: MessageDataCondition): number {
  const { field, op } = condition;
  // A path of several parts is searched by each of its ends.
  const path = CONDITION_COST + field.length * field.split(".").length;
  if (!("value" in condition) || value === undefined) return path;
  const wanted = [condition.value].flat();
  const wantedLength = wanted.reduce<number>((sum, one) => sum + lengthOf(one), 0);
  const isSearch = op === "contains" || op === "notContains";
  if (!isSearch) return path + comparedLength(value) + wantedLength + COMPARISON_COST * wanted.length;
  if (!Array.isArray(value)) return path + lengthOf(value) + wantedLength;
  return value.reduce<number>((sum, one) => sum + COMPARISON_COST + comparedLength(one), path + wantedLength);
}

/** Values that are compared whole differ within the characters that a condition may have, or by their length. */
function comparedLength(value: unknown): number {
  return Math.min(lengthOf(value), MESSAGE_DATA_LIMITS.valueCharacters);
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

/** Negative conditions are the complements of their opposites: they hold where the value is missing. */
function holds(value: unknown, condition: MessageDataCondition): boolean {
  switch (condition.op) {
    case "exists":
      return isThere(value);
    case "notExists":
      return !isThere(value);
    case "eq":
      return someEqual([value], [condition.value]);
    case "neq":
      return !someEqual([value], [condition.value]);
    case "in":
      return someEqual([value], condition.value);
    case "notIn":
      return !someEqual([value], condition.value);
    case "contains":
      return contains(value, condition.value);
    case "notContains":
      return !contains(value, condition.value);
    default:
      return isOrdered(value, condition);
  }
}

function isOrdered(
  value: unknown,
  { op, value: bound }: Extract<MessageDataCondition, { readonly value: Value }>,
): boolean {
  if (!isScalar(value)) return false;
  const order = compare(value, bound);
  if (order === undefined) return false;
  if (op === "gt") return order > 0;
  if (op === "gte") return order >= 0;
  return op === "lt" ? order < 0 : order <= 0;
}

/** Returns the member at a dotted path; a name with dots in it is found first. */
export function memberAt(record: unknown, path: string): unknown {
  if (typeof record !== "object" || record === null) return undefined;
  if (Object.hasOwn(record, path)) return Reflect.get(record, path);
  const dot = path.indexOf(".");
  if (dot < 0 || !Object.hasOwn(record, path.slice(0, dot))) return undefined;
  return memberAt(Reflect.get(record, path.slice(0, dot)), path.slice(dot + 1));
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Returns whether one of the values equals one of those that are wanted; numbers by their size, also those written as texts. */
function someEqual(values: readonly unknown[], wanted: readonly Value[]): boolean {
  let numbers: readonly (number | undefined)[] | undefined;
  return values.some((value) => {
    if (!isScalar(value)) return false;
    if (wanted.includes(value)) return true;
    const number = numberOf(value);
    if (number === undefined) return false;
    numbers ??= wanted.map(numberOf);
    return numbers.includes(number);
  });
}

function numberOf(value: Value): number | undefined {
  return isNumeric(value) ? Number(value) : undefined;
}

/** An element of an array, else a part of a text. */
function contains(value: unknown, wanted: Value): boolean {
  if (Array.isArray(value)) return someEqual(value, [wanted]);
  return isScalar(value) && includesText(String(value), String(wanted));
}

/** Numbers, also those written as texts, by size; texts by their characters; undefined for what has no order. */
function compare(left: Value, right: Value): number | undefined {
  if (isNumeric(left) && isNumeric(right)) return Number(left) - Number(right);
  if (typeof left !== "string" || typeof right !== "string") return undefined;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Numbers stand before texts and those before booleans; records without a value are last, either way round. */
function sorted<Record extends object>(records: readonly Record[], sort: string): Record[] {
  const isDescending = sort.startsWith("-");
  const field = isDescending ? sort.slice(1) : sort;
  const keyed = records.flatMap((record) => {
    const key = memberAt(record, field);
    return isScalar(key) ? [{ record, key }] : [];
  });
  const sign = isDescending ? -1 : 1;
  const ordered = keyed.toSorted((one, other) => sign * inOrder(one.key, other.key)).map(({ record }) => record);
  const located = new Set(ordered);
  return [...ordered, ...records.filter((record) => !located.has(record))];
}

function inOrder(left: Value, right: Value): number {
  return rankOf(left) - rankOf(right) || (compare(left, right) ?? Number(left) - Number(right));
}

function rankOf(value: Value): number {
  if (isNumeric(value)) return 0;
  return typeof value === "string" ? 1 : 2;
}

function isScalar(value: unknown): value is Value {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** A longer text than a condition may have is not read as a number. */
function isNumeric(value: Value): value is string | number {
  if (typeof value !== "string") return typeof value === "number";
  return value.length <= MESSAGE_DATA_LIMITS.valueCharacters && /^-?\d+(\.\d+)?$/.test(value);
}

/**
 * Returns whether a text contains another one, in time linear in both (Knuth, Morris and Pratt). `String.includes` compares every
 * character of the wanted text at every position for texts chosen so: 230 KiB and 1,024 characters take it 0.2 s.
 */
export function includesText(text: string, wanted: string): boolean {
  if (wanted.length > text.length) return false;
  if (text.length * wanted.length <= COMPARISONS_FEW_MAX) return text.includes(wanted);
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    while (matched > 0 && character !== wanted.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (character === wanted.charCodeAt(matched)) matched++;
    if (matched === wanted.length) return true;
  }
  return false;
}

/** Returns, for each beginning of a text, the length of the longest one that it also ends with. */
function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let matched = 0;
  for (let index = 1; index < wanted.length; index++) {
    const character = wanted.charCodeAt(index);
    while (matched > 0 && character !== wanted.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (character === wanted.charCodeAt(matched)) matched++;
    borders[index] = matched;
  }
  return borders;
}
