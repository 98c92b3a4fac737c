import { listedWord } from "@headwater/kernel";
import type { Comparator, Comparison } from "../criteria.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, type JsonObject, pointer } from "./problems.ts";

export const COMPARATORS = ["eq", "neq", "gt", "gte", "lt", "lte"] as const satisfies readonly Comparator[];
const COUNT_MAX = 1_000_000_000;

/** `{op, value}` of a count; left out it is "at least one". */
export function parseCount(input: unknown, at: string, parse: Parse): Comparison | undefined {
  if (input === undefined) return { op: "gte", value: 1 };
  const { problems } = parse;
  if (!isJsonObject(input)) return problems.add("type_mismatch", at, "a count must be {op, value}");
  checkMembers(problems, input, at, ["op", "value"]);
  const op = parseComparator(input, at, parse);
  const value = input.value;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > COUNT_MAX) {
    const code = value === undefined || typeof value === "number" ? "bad_value" : "type_mismatch";
    return problems.add(code, pointer(at, "value"), `a count must be compared with an integer from 0 to ${COUNT_MAX}`);
  }
  return op && { op, value };
}

/** The member `op` of a comparison. */
export function parseComparator(input: JsonObject, at: string, { problems }: Parse): Comparator | undefined {
  const op = input.op;
  const found = listedWord(COMPARATORS, op);
  if (found !== undefined) return found;
  return problems.add(operatorCode(op), pointer(at, "op"), "this is not a comparison operator", COMPARATORS);
}

/** The code for an operator that is none: an unknown one, no text, or nothing at all. */
export function operatorCode(op: unknown): "unknown_operator" | "bad_value" | "type_mismatch" {
  if (op === undefined) return "bad_value";
  return typeof op === "string" ? "unknown_operator" : "type_mismatch";
}
