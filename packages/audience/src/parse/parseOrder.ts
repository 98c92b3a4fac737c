import type { OrderLeaf } from "../criteria.ts";
import { toDecimalText } from "../decimal.ts";
import { parseComparator, parseCount } from "./comparisons.ts";
import { parseName, parseProperties } from "./parseProperties.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, type JsonObject, pointer } from "./problems.ts";
import { parseValues } from "./textTests.ts";
import { parseWindow } from "./windows.ts";

/** `{"order": true, "where"?, "items"?, "count"? | "sum"?, "status"?, "within"?}`. */
export function parseOrder(input: JsonObject, path: string, parse: Parse): OrderLeaf | undefined {
  const { problems } = parse;
  checkMembers(problems, input, path, ["order", "where", "items", "count", "sum", "status", "within"]);
  if (input.order !== true) problems.add("bad_value", pointer(path, "order"), "order must be true", ["true"]);
  const where = parseProperties(input.where, pointer(path, "where"), "order", parse);
  const items = parseProperties(input.items, pointer(path, "items"), "item", parse);
  const measure = parseMeasure(input, path, parse);
  const within = input.within === undefined ? undefined : parseWindow(input.within, pointer(path, "within"), parse);
  const named = where.some((property) => property.segments.join(".") === "status");
  const statuses = parseStatuses(input.status, pointer(path, "status"), named, parse);
  if (measure === undefined || statuses === undefined) return undefined;
  return { kind: "order", path, where, items, measure, statuses, ...(within && { within }) };
}

function parseMeasure(input: JsonObject, path: string, parse: Parse): OrderLeaf["measure"] | undefined {
  if (input.sum === undefined) {
    const comparison = parseCount(input.count, pointer(path, "count"), parse);
    return comparison && { kind: "count", comparison };
  }
  if (input.count !== undefined) {
    parse.problems.add("unknown_member", pointer(path, "count"), "a rule may have count or sum, not both");
  }
  return parseSum(input.sum, pointer(path, "sum"), parse);
}

function parseSum(input: unknown, at: string, parse: Parse): OrderLeaf["measure"] | undefined {
  const { problems } = parse;
  if (!isJsonObject(input)) return problems.add("type_mismatch", at, "a sum must be {of, op, value}");
  checkMembers(problems, input, at, ["of", "op", "value"]);
  const of = parseName(input.of, pointer(at, "of"), "order", parse);
  const op = parseComparator(input, at, parse);
  const value = toDecimalText(input.value);
  if (value === undefined) problems.add("type_mismatch", pointer(at, "value"), "a sum must be compared with a number");
  if (of !== undefined && of.type !== "number" && of.type !== "auto") {
    return problems.add("type_mismatch", pointer(at, "of"), "this field is not a number");
  }
  if (of === undefined || op === undefined || value === undefined) return undefined;
  return { kind: "sum", of: of.segments, op, value };
}

/** Without a word on the status only orders that count are taken; a condition that names the status takes all. */
function parseStatuses(input: unknown, at: string, named: boolean, parse: Parse): OrderLeaf["statuses"] | undefined {
  if (input === undefined) return named ? "any" : "counting";
  if (input === "any") return "any";
  return parseValues(Array.isArray(input) ? input : [input], at, parse, (entry, entryAt) => {
    if (typeof entry === "string" && entry !== "") return entry.toLowerCase();
    return parse.problems.add("type_mismatch", entryAt, `a status must be a string; "any" matches all`);
  });
}
