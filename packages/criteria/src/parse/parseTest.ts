import type { Span, Test } from "../criteria.ts";
import { earliestOf } from "../moment.ts";
import { type Operator, typesOf } from "../operators.ts";
import { parseDistance } from "./distanceTest.ts";
import type { Parse } from "./parserRun.ts";
import { pointer } from "./problems.ts";
import { parseTextTest, parseValues } from "./textTests.ts";
import type { ValueKind } from "./valueKind.ts";
import { parseInstant, parseSpan } from "./windows.ts";

/** Checks the value of a positive operator that takes one. */
export function parseTest(
  operator: Operator,
  value: unknown,
  at: string,
  kind: ValueKind,
  parse: Parse,
): Test | undefined {
  const type: DecidedType = kind.type === "auto" ? typeOfValue(operator, value) : kind.type;
  switch (type) {
    case "free":
      return parseArrayTest(operator, value, at, { ...kind, type: "auto" }, parse);
    case "string":
      return parseTextTest(operator, value, at, kind, parse);
    case "number":
      return parseNumberTest(operator, value, at, parse);
    case "date":
      return parseDateTest(operator, value, at, parse);
    case "array":
      return parseArrayTest(operator, value, at, kind, parse);
    case "boolean":
      return typeof value === "boolean"
        ? { kind: "boolean", value }
        : parse.problems.add("type_mismatch", at, "the value must be true or false");
    case "geo":
      return parseDistance(value, at, parse);
  }
}

/** `free` is an array or a text, whichever the stored value is. */
type DecidedType = "string" | "number" | "date" | "array" | "boolean" | "geo" | "free";

/** A value without a declared type is read as the operator says; where several types know it, as its value says. */
function typeOfValue(operator: Operator, value: unknown): DecidedType {
  if (operator === "contains") return "free";
  const types = typesOf(operator);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (operator === "between") return typeof first === "number" ? "number" : "date";
  if (types.includes("number") && typeof first === "number") return "number";
  if (types.includes("boolean") && typeof first === "boolean") return "boolean";
  return types[0] ?? "string";
}

/** Tests on arrays: `contains`, `containsAny`, `containsAll` and the lengths. Elements are compared by their text. */
function parseArrayTest(
  operator: Operator,
  value: unknown,
  at: string,
  kind: ValueKind,
  parse: Parse,
): Test | undefined {
  switch (operator) {
    case "contains": {
      const text = parseElement(value, at, parse);
      if (text === undefined) return undefined;
      const ignoreCase = kind.ignoreCase ?? false;
      if (kind.type === "array") return { kind: "elements", match: "any", values: [text], ignoreCase };
      return { kind: "containsFree", value: text, ignoreCase };
    }
    case "containsAny":
    case "containsAll": {
      const values = parseValues(value, at, parse, (entry, entryAt) => parseElement(entry, entryAt, parse));
      const match = operator === "containsAny" ? "any" : "all";
      return values && { kind: "elements", match, values, ignoreCase: false };
    }
    case "lengthEq":
      return parseLength("eq", value, at, parse);
    case "lengthGt":
      return parseLength("gt", value, at, parse);
    case "lengthLt":
      return parseLength("lt", value, at, parse);
    default:
      throw new Error(`${operator} is no operator of array`);
  }
}

function parseElement(value: unknown, at: string, { problems }: Parse): string | undefined {
  if (value === "") return problems.add("bad_value", at, "the value must not be empty");
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return JSON.stringify(value);
  return problems.add("type_mismatch", at, "the value must be a string, a number or a boolean");
}

function parseLength(op: "eq" | "gt" | "lt", value: unknown, at: string, { problems }: Parse): Test | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return { kind: "length", op, value };
  const code = typeof value === "number" ? "bad_value" : "type_mismatch";
  return problems.add(code, at, "a length must be an integer of at least 0");
}

/** Tests on dates that take a value: all but `today`. */
function parseDateTest(operator: Operator, value: unknown, at: string, parse: Parse): Test | undefined {
  switch (operator) {
    case "on":
    case "before":
    case "after": {
      const instant = parseInstant(value, at, parse);
      return instant && { kind: operator === "on" ? "day" : operator, moment: instant };
    }
    case "between": {
      const pair = parsePair(value, at, parse, parseInstant);
      if (pair === undefined) return undefined;
      const [low, high] = pair;
      if (earliestOf(low) <= earliestOf(high)) return { kind: "momentsBetween", low, high };
      return parse.problems.add("bad_value", at, "the lower bound must come first");
    }
    case "inLast":
    case "inNext": {
      const span = parseSpan(value, at, parse);
      return span && { kind: operator, span };
    }
    case "anniversaryInNext":
    case "anniversaryInLast": {
      const span = parseSpan(value, at, parse);
      return span && { kind: operator, span: wholeDays(span) };
    }
    default:
      throw new Error(`${operator} is no operator of date`);
  }
}

/** Anniversaries are days: a span of hours or minutes is rounded up to whole ones. */
function wholeDays({ n, unit }: Span): Span {
  if (unit === "minute") return { n: Math.ceil(n / MINUTES_PER_DAY), unit: "day" };
  return unit === "hour" ? { n: Math.ceil(n / HOURS_PER_DAY), unit: "day" } : { n, unit };
}

const HOURS_PER_DAY = 24;
const MINUTES_PER_DAY = 1_440;

/** Tests on numbers: `eq`, `gt`, `gte`, `lt`, `lte`, `between`, `in`. */
function parseNumberTest(operator: Operator, value: unknown, at: string, parse: Parse): Test | undefined {
  switch (operator) {
    case "eq":
    case "gt":
    case "gte":
    case "lt":
    case "lte": {
      const number = parseNumber(value, at, parse);
      return number === undefined ? undefined : { kind: "number", op: operator, value: number };
    }
    case "in": {
      const values = parseValues(value, at, parse, (entry, entryAt) => parseNumber(entry, entryAt, parse));
      return values && { kind: "numberIn", values };
    }
    case "between": {
      const pair = parsePair(value, at, parse, parseNumber);
      if (pair === undefined) return undefined;
      const [low, high] = pair;
      if (low <= high) return { kind: "numberBetween", low, high };
      return parse.problems.add("bad_value", at, "the lower bound must come first");
    }
    default:
      throw new Error(`${operator} is no operator of number`);
  }
}

function parseNumber(value: unknown, at: string, { problems }: Parse): number | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  return problems.add("type_mismatch", at, "the value must be a number");
}

/** `[low, high]`, each end read by `parseOne`. */
function parsePair<T>(
  value: unknown,
  at: string,
  parse: Parse,
  parseOne: (entry: unknown, at: string, parse: Parse) => T | undefined,
): readonly [T, T] | undefined {
  if (!Array.isArray(value)) return parse.problems.add("type_mismatch", at, "the value must be [low, high]");
  if (value.length !== 2) return parse.problems.add("bad_value", at, "the value must have two bounds: [low, high]");
  const low = parseOne(value[0], pointer(at, 0), parse);
  const high = parseOne(value[1], pointer(at, 1), parse);
  return low === undefined || high === undefined ? undefined : [low, high];
}
