import { shapes } from "@headwater/contracts";

type Properties = { [name: string]: unknown };

/** A name of more parts was written before validation bounded them: it stays one flat name. */
const LEVELS_MAX = shapes.bounds.propertiesDepth;

/**
 * Nests dotted names, those of inner objects too: `{"a.b": 1}` reads as `{"a": {"b": 1}}`, and `{"a": {"b.c": 1}}` as
 * `{"a": {"b": {"c": 1}}}`. A name that something stands in the way of, or that has too many parts, stays as it came. The properties given
 * are not changed, so that the same record gives the same row again. Objects made here have no prototype: `a.__proto__.b` is three names
 * like any other.
 * @param levels most levels of the result; what lies deeper stays as it came.
 */
export function nestDotted(
  properties: Readonly<Record<string, unknown>>,
  levels: number = LEVELS_MAX,
): Readonly<Record<string, unknown>> {
  const input = Object.entries(properties);
  const entries = input.map(([name, value]) => [name, nestInner(value, levels - 1)] as const);
  const isChanged = entries.some(([, value], index) => value !== input[index]?.[1]);
  if (!isChanged && !entries.some(([name]) => name.includes("."))) return properties;
  const result = withoutPrototype({});
  const own = new Set<object>([result]);
  for (const [name, value] of entries) if (!name.includes(".")) result[name] = value;
  for (const [name, value] of entries) {
    if (name.includes(".") && !position(result, { name, value, own, levels })) result[name] = value;
  }
  return result;
}

function nestInner(value: unknown, levels: number): unknown {
  return isObject(value) && levels > 0 ? nestDotted(value, levels) : value;
}

interface Placing {
  readonly name: string;
  readonly value: unknown;
  /** Objects that were made here and may be written. */
  readonly own: Set<object>;
  readonly levels: number;
}

function position(root: Properties, { name, value, own, levels }: Placing): boolean {
  const steps = name.split(".", levels + 1);
  const last = steps.pop();
  if (last === undefined || steps.length >= levels || !isFree(root, steps, last)) return false;
  let at = root;
  for (const step of steps) at = stepInto(at, step, own);
  at[last] = value;
  return true;
}

/** Checks before anything is made: a name that cannot be placed leaves no empty objects behind. */
function isFree(root: Properties, steps: readonly string[], last: string): boolean {
  let at = root;
  for (const step of steps) {
    if (!Object.hasOwn(at, step)) return true;
    const inner = at[step];
    if (!isObject(inner)) return false;
    at = inner;
  }
  return !Object.hasOwn(at, last);
}

function stepInto(at: Properties, step: string, own: Set<object>): Properties {
  const inner = Object.hasOwn(at, step) ? at[step] : undefined;
  if (isObject(inner) && own.has(inner)) return inner;
  const created = withoutPrototype(isObject(inner) ? inner : {});
  own.add(created);
  at[step] = created;
  return created;
}

function withoutPrototype(members: Properties): Properties {
  const built: Properties = Object.create(null);
  for (const [name, value] of Object.entries(members)) built[name] = value;
  return built;
}

function isObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
