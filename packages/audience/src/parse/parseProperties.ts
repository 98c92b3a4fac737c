import type { FieldType, Property } from "../criteria.ts";
import { SUGGESTION_LIMITS } from "../limits.ts";
import { CART_FIELDS, EVENT_FIELDS, ITEM_FIELDS, LINE_FIELDS, ORDER_FIELDS } from "../ownerFields.ts";
import { nearestNames } from "./nearest.ts";
import { expectOperator, parseCondition } from "./parseCondition.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, pointer, shown } from "./problems.ts";

export type PropertyOwner = "event" | "order" | "item" | "cart" | "line" | "record";

/** An optional array of Props, each on a member of one and the same owner. */
export function parseProperties(input: unknown, at: string, owner: PropertyOwner, parse: Parse): readonly Property[] {
  if (input === undefined) return [];
  if (!Array.isArray(input)) {
    parse.problems.add("type_mismatch", at, "the value must be an array of conditions");
    return [];
  }
  return input
    .map((entry: unknown, index) => parseProperty(entry, pointer(at, index), owner, parse))
    .filter((entry) => entry !== undefined);
}

function parseProperty(input: unknown, path: string, owner: PropertyOwner, parse: Parse): Property | undefined {
  if (!isJsonObject(input)) return parse.problems.add("type_mismatch", path, "a condition must be an object");
  checkMembers(parse.problems, input, path, ["field", "op", "value", "ci"]);
  const name = parseName(input.field, pointer(path, "field"), owner, parse);
  if (name === undefined) return expectOperator(input.op, path, parse);
  const condition = parseCondition(input, path, { type: name.type }, parse);
  return condition && { segments: name.segments, condition };
}

export interface PropertyName {
  readonly segments: readonly string[];
  readonly type: FieldType;
}

/** Reads a dotted path and its type: free for properties and records, fixed for the members that the others are known to have. */
export function parseName(
  input: unknown,
  at: string,
  owner: PropertyOwner,
  { problems }: Parse,
): PropertyName | undefined {
  if (typeof input !== "string") return problems.add("type_mismatch", at, "a field name must be a string");
  const segments = input.split(".");
  if (segments.includes("")) return problems.add("bad_value", at, "a field path must not have an empty part");
  const found = nameOf(input, segments, owner);
  if (found !== undefined) return found;
  const message = `"${shown(input)}" is not a field of ${ARTICLES[owner]} ${owner}`;
  const isShown = problems.count < SUGGESTION_LIMITS.errorsMax;
  return problems.add("unknown_field", at, message, isShown ? suggested(input, owner) : undefined);
}

/** The names that are nearest; where none is near, all that there are. */
function suggested(name: string, owner: PropertyOwner): readonly string[] {
  const names = [...NAMES[owner].keys()];
  const nearest = nearestNames(name, names);
  return nearest.length > 0 ? nearest : names;
}

const ARTICLES = { event: "an", order: "an", item: "an", cart: "a", line: "a", record: "a" } as const;
const NAMES: Readonly<Record<PropertyOwner, ReadonlyMap<string, FieldType>>> = {
  event: EVENT_FIELDS,
  order: ORDER_FIELDS,
  item: ITEM_FIELDS,
  cart: CART_FIELDS,
  line: LINE_FIELDS,
  record: new Map(),
};

/** Answers show the discount under a name of its own; orders hold it where it was given. */
const DISCOUNT: PropertyName = { segments: ["discountApplication", "amount"], type: "number" };

function nameOf(name: string, segments: readonly string[], owner: PropertyOwner): PropertyName | undefined {
  if (owner === "record") return { segments, type: "auto" };
  if (owner === "order" && name === "totalDiscountAmount") return DISCOUNT;
  if (owner === "event" && !isEventPart(segments)) {
    const isWhole = segments[0] === "properties" && segments.length > 1;
    return { segments: isWhole ? segments : ["properties", ...segments], type: "auto" };
  }
  const known = NAMES[owner];
  const type = known.get(name) ?? (known.has(`${segments[0]}.*`) && segments.length > 1 ? "auto" : undefined);
  return type && { segments, type };
}

/** A path beginning with `geo.` or `device.` names that part of the event; every other one is in its properties. */
function isEventPart([first, ...rest]: readonly string[]): boolean {
  return (first === "geo" || first === "device") && rest.length > 0;
}
