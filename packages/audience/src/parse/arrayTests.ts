import type { Test } from "../criteria.ts";
import type { Operator } from "../operators.ts";
import type { Parse } from "./parserRun.ts";
import { parseValues } from "./textTests.ts";
import type { ValueKind } from "./valueKind.ts";

/** Tests on arrays: `contains`, `containsAny`, `containsAll` and the lengths. Elements are compared by their text. */
export function parseArrayTest(
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
