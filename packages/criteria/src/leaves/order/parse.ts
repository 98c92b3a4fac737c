import { listedWord } from "@headwater/kernel";
import type { Property } from "../../criteria.ts";
import { parseMeasure } from "../../parse/parseMeasure.ts";
import { parseProperties } from "../../parse/parseProperties.ts";
import type { Parse } from "../../parse/parserRun.ts";
import { checkMembers, type JsonObject, pointer } from "../../parse/problems.ts";
import { parseValues } from "../../parse/textTests.ts";
import { parseWindow } from "../../parse/windows.ts";
import { itemOwner, orderOwner } from "./fields.ts";
import type { OrderLeaf } from "./order.ts";

/** `{"order": true, "where"?, "items"?, "count"? | "sum"?, "status"?, "within"?}`. */
export function parseOrder(input: JsonObject, path: string, parse: Parse): OrderLeaf | undefined {
  const { problems } = parse;
  checkMembers(problems, input, path, ["order", "where", "items", "count", "sum", "status", "within"]);
  if (input.order !== true) problems.add("bad_value", pointer(path, "order"), "order must be true", ["true"]);
  const where = parseProperties(input.where, pointer(path, "where"), orderOwner, parse);
  const items = parseProperties(input.items, pointer(path, "items"), itemOwner, parse);
  const measure = parseMeasure(input, path, orderOwner, parse);
  const within = input.within === undefined ? undefined : parseWindow(input.within, pointer(path, "within"), parse);
  const statuses = parseStatuses(input.status, pointer(path, "status"), where.some(namesStatuses), parse);
  if (measure === undefined || statuses === undefined) return undefined;
  return { kind: "order", path, where, items, measure, statuses, ...(within && { within }) };
}

/** That an order has a status at all names none: those that do not count stay out. */
function namesStatuses({ segments, condition }: Property): boolean {
  return segments.join(".") === "status" && condition.test.kind !== "exists";
}

/** Parses the statuses. By default only orders that count are taken; a condition that names the status takes all. */
function parseStatuses(input: unknown, at: string, named: boolean, parse: Parse): OrderLeaf["statuses"] | undefined {
  if (input === undefined) return named ? "any" : "counting";
  if (listedWord(["any"], input) !== undefined) return "any";
  return parseValues(Array.isArray(input) ? input : [input], at, parse, (entry, entryAt) => {
    if (typeof entry === "string" && entry !== "") return entry.toLowerCase();
    return parse.problems.add("type_mismatch", entryAt, `a status must be a string; "any" matches all`);
  });
}
