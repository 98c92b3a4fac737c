import type { FieldType, Property } from "../criteria.ts";
import { SUGGESTION_LIMITS } from "../limits.ts";
import { ITEM_FIELDS, ORDER_FIELDS } from "../orderFields.ts";
import { nearestNames } from "./nearest.ts";
import { parseCondition } from "./parseCondition.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, pointer, shown } from "./problems.ts";

export type PropertyOwner = "event" | "order" | "item";

/** An optional array of Props, each on the properties of an event, an order or an order's item. */
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
  if (name === undefined) return undefined;
  const condition = parseCondition(input, path, { type: name.type }, parse);
  return condition && { segments: name.segments, condition };
}

export interface PropertyName {
  readonly segments: readonly string[];
  readonly type: FieldType;
}

/** Answers show the discount under a name of its own; orders hold it where it was given. */
const DISCOUNT: PropertyName = { segments: ["discountApplication", "amount"], type: "number" };

/** Reads a dotted path and its type: free for properties, fixed for the members that orders and items are known to have. */
export function parseName(
  input: unknown,
  at: string,
  owner: PropertyOwner,
  { problems }: Parse,
): PropertyName | undefined {
  if (typeof input !== "string") return problems.add("type_mismatch", at, "a field name must be a string");
  const segments = input.split(".");
  if (segments.includes("")) return problems.add("bad_value", at, "a field path must not have an empty part");
  if (owner === "event") return { segments, type: "auto" };
  const known = owner === "order" ? ORDER_FIELDS : ITEM_FIELDS;
  if (owner === "order" && input === "totalDiscountAmount") return DISCOUNT;
  const type = known.get(input) ?? (known.has(`${segments[0]}.*`) && segments.length > 1 ? "auto" : undefined);
  if (type !== undefined) return { segments, type };
  const message = `"${shown(input)}" is not a field of an ${owner}`;
  const isTold = problems.count < SUGGESTION_LIMITS.errorsMax;
  return problems.add("unknown_field", at, message, isTold ? nearestNames(input, known.keys()) : undefined);
}
