import type { Test } from "../criteria.ts";
import type { Operator } from "../operators.ts";
import type { Parse } from "./parserRun.ts";
import { pointer } from "./problems.ts";
import { parseValues } from "./textTests.ts";

/** Tests on numbers: `eq`, `gt`, `gte`, `lt`, `lte`, `between`, `in`. */
export function parseNumberTest(operator: Operator, value: unknown, at: string, parse: Parse): Test | undefined {
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

export function parseNumber(value: unknown, at: string, { problems }: Parse): number | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  return problems.add("type_mismatch", at, "the value must be a number");
}

/** `[low, high]`, each end read by `parseOne`. */
export function parsePair<T>(
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
