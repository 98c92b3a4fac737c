import type { Measure } from "../criteria.ts";
import { toDecimalText, WHOLE_DIGITS_MAX } from "../decimal.ts";
import { parseComparator, parseCount } from "./comparisons.ts";
import { type PropertyName, type PropertyOwner, parseName } from "./parseProperties.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, type JsonObject, pointer } from "./problems.ts";

/** `count` or `sum` of a rule about events or orders. */
export function parseMeasure(input: JsonObject, path: string, owner: PropertyOwner, parse: Parse): Measure | undefined {
  if (input.sum === undefined) {
    const comparison = parseCount(input.count, pointer(path, "count"), parse);
    return comparison && { kind: "count", comparison };
  }
  if (input.count !== undefined) {
    parse.problems.add("unknown_member", pointer(path, "count"), "a rule may have count or sum, not both");
  }
  return parseSum(input.sum, pointer(path, "sum"), owner, parse);
}

function parseSum(input: unknown, at: string, owner: PropertyOwner, parse: Parse): Measure | undefined {
  const { problems } = parse;
  if (!isJsonObject(input)) return problems.add("type_mismatch", at, "a sum must be {of, op, value}");
  checkMembers(problems, input, at, ["of", "op", "value"]);
  const of = parseSummed(input.of, pointer(at, "of"), owner, parse);
  const op = parseComparator(input, at, parse);
  const value = toDecimalText(input.value);
  if (value === undefined) {
    const code = input.value === undefined || typeof input.value === "number" ? "bad_value" : "type_mismatch";
    problems.add(code, pointer(at, "value"), `a sum must be compared with a number below 10^${WHOLE_DIGITS_MAX}`);
  }
  if (of !== undefined && of.type !== "number" && of.type !== "auto") {
    return problems.add("type_mismatch", pointer(at, "of"), "this field is not a number");
  }
  if (of === undefined || op === undefined || value === undefined) return undefined;
  return { kind: "sum", of: of.segments, op, value };
}

const OF_ITEMS = "items.";

/** `items.<field>` sums over the items of the owner. */
function parseSummed(of: unknown, at: string, owner: PropertyOwner, parse: Parse): PropertyName | undefined {
  const { items } = owner;
  if (items === undefined || typeof of !== "string" || !of.startsWith(OF_ITEMS)) return parseName(of, at, owner, parse);
  const ofItem = parseName(of.slice(OF_ITEMS.length), at, items, parse);
  return ofItem && { ...ofItem, segments: ["items", ...ofItem.segments] };
}
