import type { MessageDataCondition, MessageDataSource } from "@headwater/contracts";

type Value = string | number | boolean;

/** Returns the records that a message shows: those for which all conditions hold, in the order asked for, else in the one given. */
export function selectRecords<Record extends object>(
  records: readonly Record[],
  { where = [], sort, limit }: Pick<MessageDataSource, "where" | "sort" | "limit">,
): Record[] {
  const kept = records.filter((record) => fitsConditions(record, where));
  return (sort === undefined ? kept : sorted(kept, sort)).slice(0, limit);
}

/** Returns whether all conditions hold for a record. */
export function fitsConditions(record: object, conditions: readonly MessageDataCondition[]): boolean {
  return conditions.every((condition) => holds(record, condition));
}

/** Negative conditions are the complements of their opposites: they hold where the value is missing. */
function holds(record: object, condition: MessageDataCondition): boolean {
  const value = memberAt(record, condition.field);
  switch (condition.op) {
    case "exists":
      return isThere(value);
    case "notExists":
      return !isThere(value);
    case "eq":
      return equals(value, condition.value);
    case "neq":
      return !equals(value, condition.value);
    case "in":
      return condition.value.some((one) => equals(value, one));
    case "notIn":
      return !condition.value.some((one) => equals(value, one));
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
function memberAt(record: unknown, path: string): unknown {
  if (typeof record !== "object" || record === null) return undefined;
  if (Object.hasOwn(record, path)) return Reflect.get(record, path);
  const dot = path.indexOf(".");
  if (dot < 0 || !Object.hasOwn(record, path.slice(0, dot))) return undefined;
  return memberAt(Reflect.get(record, path.slice(0, dot)), path.slice(dot + 1));
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function equals(value: unknown, wanted: Value): boolean {
  if (!isScalar(value)) return false;
  return value === wanted || (isNumeric(value) && isNumeric(wanted) && Number(value) === Number(wanted));
}

/** An element of an array, else a part of a text. */
function contains(value: unknown, wanted: Value): boolean {
  if (Array.isArray(value)) return value.some((one) => equals(one, wanted));
  return isScalar(value) && String(value).includes(String(wanted));
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
  const placed = new Set(ordered);
  return [...ordered, ...records.filter((record) => !placed.has(record))];
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

function isNumeric(value: Value): value is string | number {
  return typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));
}
