import type { Test } from "../criteria.ts";
import { type Operator, typesOf } from "../operators.ts";
import { parseArrayTest } from "./arrayTests.ts";
import { parseDateTest } from "./dateTests.ts";
import { parseDistance } from "./distanceTest.ts";
import { parseNumberTest } from "./numberTests.ts";
import type { Parse } from "./parserRun.ts";
import { parseTextTest } from "./textTests.ts";
import type { ValueKind } from "./valueKind.ts";

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
