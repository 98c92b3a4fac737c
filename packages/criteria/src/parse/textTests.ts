import { listedWord } from "@headwater/kernel";
import type { Test } from "../criteria.ts";
import { CRITERIA_LIMITS } from "../limits.ts";
import type { Operator } from "../operators.ts";
import type { Parse } from "./parserRun.ts";
import { isJsonObject, pointer, shown } from "./problems.ts";
import { regexProblem } from "./regexSyntax.ts";
import type { ValueKind } from "./valueKind.ts";

/** Tests on texts: `eq`, `in`, `contains`, `startsWith`, `endsWith`, `domain`, `regex`. */
export function parseTextTest(
  operator: Operator,
  value: unknown,
  at: string,
  kind: ValueKind,
  parse: Parse,
): Test | undefined {
  const ignoreCase = kind.ignoreCase ?? false;
  const ignoreCaseInside = ignoreCase || (kind.isLowerCase ?? false);
  switch (operator) {
    case "eq": {
      const text = parseText(value, at, kind, parse);
      return text === undefined ? undefined : { kind: "textIn", values: [text], ignoreCase };
    }
    case "in": {
      const values = parseValues(value, at, parse, (entry, entryAt) => parseText(entry, entryAt, kind, parse));
      return values && { kind: "textIn", values, ignoreCase };
    }
    case "regex":
      return parseRegex(value, at, ignoreCaseInside, parse);
    case "contains":
    case "startsWith":
    case "endsWith":
    case "domain":
      return parseMatch(operator, value, at, ignoreCaseInside, parse);
    default:
      throw new Error(`${operator} is no operator of string`);
  }
}

/** An array of 1 to 1,000 values, each read by `parseOne`; every bad one is reported. */
export function parseValues<T>(
  value: unknown,
  at: string,
  parse: Parse,
  parseOne: (entry: unknown, at: string) => T | undefined,
): T[] | undefined {
  const { problems } = parse;
  if (!Array.isArray(value)) return problems.add("type_mismatch", at, "the value must be an array");
  if (value.length === 0) return problems.add("bad_value", at, "the array must have at least one value");
  if (value.length > CRITERIA_LIMITS.valuesMax) {
    return problems.add("limit_exceeded", at, `the array may have at most ${CRITERIA_LIMITS.valuesMax} values`);
  }
  const values = value
    .map((entry: unknown, index) => parseOne(entry, pointer(at, index)))
    .filter((entry) => entry !== undefined);
  return values.length === value.length ? values : undefined;
}

function parseMatch(
  match: "contains" | "startsWith" | "endsWith" | "domain",
  value: unknown,
  at: string,
  ignoreCase: boolean,
  { problems }: Parse,
): Test | undefined {
  if (typeof value !== "string") return problems.add("type_mismatch", at, "the value must be a string");
  if (value === "") return problems.add("bad_value", at, "the value must not be empty");
  return { kind: "textMatch", match, value: match === "domain" ? value.replace(/^@/, "") : value, ignoreCase };
}

function parseRegex(value: unknown, at: string, ignoreCase: boolean, { problems }: Parse): Test | undefined {
  if (typeof value !== "string") return problems.add("type_mismatch", at, "the value must be a regular expression");
  if (value.length > CRITERIA_LIMITS.regexCharactersMax) {
    const max = CRITERIA_LIMITS.regexCharactersMax;
    return problems.add("limit_exceeded", at, `a regular expression may have at most ${max} characters`);
  }
  const problem = value === "" ? "it is empty" : regexProblem(value);
  if (problem !== undefined) return problems.add("bad_value", at, `not a valid RE2 regular expression: ${problem}`);
  return { kind: "textMatch", match: "regex", value, ignoreCase };
}

function parseText(value: unknown, at: string, kind: ValueKind, { problems }: Parse): string | undefined {
  const text = kind.integers && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== "string") {
    const found = isJsonObject(value) ? "an object" : Array.isArray(value) ? "an array" : String(value);
    return problems.add("type_mismatch", at, `the value must be a string, not ${shown(found)}`);
  }
  const listed = kind.allowed === undefined ? text : listedWord(kind.allowed, text);
  if (listed === undefined) {
    return problems.add("bad_value", at, `"${shown(text)}" is not an allowed value`, kind.allowed);
  }
  const canonical = kind.canonical === undefined ? listed : kind.canonical(listed);
  return canonical ?? problems.add("bad_value", at, `"${shown(text)}" is not a valid value of this identifier`);
}
