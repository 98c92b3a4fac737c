import type { FieldType, Property } from "../criteria.ts";
import { SUGGESTION_LIMITS } from "../limits.ts";
import { nearestNames } from "./nearest.ts";
import { expectOperator, parseCondition } from "./parseCondition.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, pointer, shown } from "./problems.ts";

/** Thing whose members conditions name: an event, an order, an item of an order. */
export interface PropertyOwner {
  /** Name with its article, as errors say it. */
  readonly called: string;
  /** Types of its members; `x.*` stands for every member below `x`. */
  readonly fields: ReadonlyMap<string, FieldType>;
  /** Owner of its items, which a sum may be over as `items.<field>`. */
  readonly items?: PropertyOwner;
  /** Reads the names that are not in `fields`, or not as they are there; undefined for all others. */
  nameOf?(name: string, segments: readonly string[]): PropertyName | undefined;
}

/** Returns fields of one type, as entries of the map of an owner's fields. */
export function typed(type: FieldType, names: readonly string[]): (readonly [string, FieldType])[] {
  return names.map((name) => [name, type]);
}

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
  const message = `"${shown(input)}" is not a field of ${owner.called}`;
  const isVisible = problems.count < SUGGESTION_LIMITS.errorsMax;
  return problems.add("unknown_field", at, message, isVisible ? suggested(input, owner) : undefined);
}

/** The names that are nearest; where none is near, all that there are. */
function suggested(name: string, { fields }: PropertyOwner): readonly string[] {
  const names = [...fields.keys()];
  const nearest = nearestNames(name, names);
  return nearest.length > 0 ? nearest : names;
}

function nameOf(name: string, segments: readonly string[], owner: PropertyOwner): PropertyName | undefined {
  const { fields } = owner;
  const isBelow = fields.has(`${segments[0]}.*`) && segments.length > 1;
  const type = fields.get(name) ?? (isBelow ? "auto" : undefined);
  return owner.nameOf?.(name, segments) ?? (type && { segments, type });
}
