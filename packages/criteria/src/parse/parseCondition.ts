import { listedWord } from "@headwater/kernel";
import type { Condition, FieldType } from "../criteria.ts";
import { OPERATORS, type Operator, positiveOf } from "../operators.ts";
import type { Parse } from "./parserRun.ts";
import { parseTest } from "./parseTest.ts";
import { type JsonObject, nearestFirst, pointer, shown } from "./problems.ts";
import type { ValueKind } from "./valueKind.ts";

export const WITHOUT_VALUE = ["exists", "notExists", "today"] as const satisfies readonly Operator[];
const IGNORING_CASE: readonly Operator[] = [
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
];

/** Reads `op`, `value` and `ci` of a Field or Prop; the caller has checked the members' names. */
export function parseCondition(input: JsonObject, path: string, kind: ValueKind, parse: Parse): Condition | undefined {
  const operator = parseOperator(input.op, pointer(path, "op"), kind.type, parse);
  if (operator === undefined) return undefined;
  const ignoreCase = parseIgnoreCase(input, path, { operator, type: kind.type }, parse);
  const positive = positiveOf(operator) ?? operator;
  const at = pointer(path, "value");
  if (isWithoutValue(operator)) {
    if (Object.hasOwn(input, "value")) parse.problems.add("bad_value", at, `"${operator}" takes no value`);
    const test = positive === "today" ? ({ kind: "day", moment: "today" } as const) : ({ kind: "exists" } as const);
    return { negated: positive !== operator, test };
  }
  if (!Object.hasOwn(input, "value")) return parse.problems.add("bad_value", at, `"${operator}" needs a value`);
  const sense = { ...kind, ignoreCase: (kind.ignoreCase ?? false) || ignoreCase };
  const test = parseTest(positive, input.value, at, sense, parse);
  return test && { negated: positive !== operator, test };
}

function isWithoutValue(operator: Operator): boolean {
  const names: readonly Operator[] = WITHOUT_VALUE;
  return names.includes(operator);
}

/** Reports what is no operator of any type, next to a field that is unknown. */
export function expectOperator(operator: unknown, path: string, parse: Parse): undefined {
  parseOperator(operator, pointer(path, "op"), "auto", parse);
}

function parseOperator(name: unknown, at: string, type: FieldType, { problems }: Parse): Operator | undefined {
  const allowed: readonly string[] = OPERATORS[type];
  if (name === undefined) return problems.add("bad_value", at, "an operator is required", allowed);
  if (typeof name !== "string") return problems.add("type_mismatch", at, "an operator must be a string", allowed);
  const operator = listedWord(OPERATORS[type], name);
  if (operator !== undefined) return operator;
  const sorted = nearestFirst(name, allowed);
  const ofType = type === "auto" ? "an operator" : `an operator of ${type}`;
  return problems.add("unknown_operator", at, `"${shown(name)}" is not ${ofType}`, type === "auto" ? sorted : allowed);
}

/** Values of these types have no case. */
const WITHOUT_CASE: readonly FieldType[] = ["number", "date", "boolean", "geo"];

interface Comparing {
  readonly operator: Operator;
  readonly type: FieldType;
}

function parseIgnoreCase(input: JsonObject, path: string, { operator, type }: Comparing, { problems }: Parse): boolean {
  const ci = input.ci;
  if (ci === undefined) return false;
  const at = pointer(path, "ci");
  if (typeof ci !== "boolean") problems.add("type_mismatch", at, "ci must be true or false");
  else if (!IGNORING_CASE.includes(operator) || WITHOUT_CASE.includes(type))
    problems.add("bad_value", at, `"${operator}" does not compare text here`);
  return ci === true;
}
