import type { FieldType } from "./criteria.ts";

const ANY = ["exists", "notExists"] as const;
const STRING = [
  "eq",
  "neq",
  "in",
  "notIn",
  "contains",
  "notContains",
  "startsWith",
  "endsWith",
  "domain",
  "regex",
] as const;
const NUMBER = ["eq", "neq", "gt", "gte", "lt", "lte", "between", "in", "notIn"] as const;
const DATE = [
  "on",
  "before",
  "after",
  "between",
  "inLast",
  "notInLast",
  "inNext",
  "today",
  "anniversaryInNext",
  "anniversaryInLast",
] as const;
const ARRAY = ["contains", "notContains", "containsAny", "containsAll", "lengthEq", "lengthGt", "lengthLt"] as const;

/** The operators of each type; `auto` takes all, and the operator with its value decides how a value is read. */
export const OPERATORS = {
  string: [...STRING, ...ANY],
  number: [...NUMBER, ...ANY],
  date: [...DATE, ...ANY],
  array: [...ARRAY, ...ANY],
  boolean: ["eq", ...ANY],
  geo: ["within", ...ANY],
  auto: [...new Set([...STRING, ...NUMBER, ...DATE, ...ARRAY, "within", ...ANY])],
} as const satisfies Record<FieldType, readonly string[]>;

export type Operator = (typeof OPERATORS)[FieldType][number];

const NEGATIVE: Readonly<Record<string, Operator>> = {
  neq: "eq",
  notIn: "in",
  notContains: "contains",
  notExists: "exists",
  notInLast: "inLast",
};

/** The operator whose complement this one is, for example `neq` → `eq`; undefined for a positive operator. */
export function positiveOf(operator: Operator): Operator | undefined {
  return Object.hasOwn(NEGATIVE, operator) ? NEGATIVE[operator] : undefined;
}

/** Returns whether `name` is an operator of the type. */
export function isOperatorOf(type: FieldType, name: string): name is Operator {
  const names: readonly string[] = OPERATORS[type];
  return names.includes(name);
}

/** The types, `auto` left out, that know the operator. */
export function typesOf(operator: Operator): Exclude<FieldType, "auto">[] {
  const types = ["string", "number", "date", "array", "boolean", "geo"] as const;
  return types.filter((type) => isOperatorOf(type, operator));
}
