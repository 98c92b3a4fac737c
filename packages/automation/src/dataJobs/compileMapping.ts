import { isLargerThan } from "@headwater/intake/body/jsonSize";
import type { ErrorDetail } from "@headwater/kernel";
import { pointerStep } from "@headwater/kernel/text";
import {
  type Expression,
  type JSONValue,
  parseExpression,
  recordExpressions,
} from "@headwater/messaging/providerEvents/expressions";
import type { Mapping } from "./mapping.ts";
import { mappingLimits } from "./mappingLimits.ts";
import { createOutline, type Outline, parsePath } from "./outline.ts";

type OneMapping = Extract<Mapping, { readonly to: unknown }>;
type MappedValue = OneMapping["to"][string];

/** A record that a mapping made: its JSON, or nothing where that would be too large. */
export type MadeRecord = string | undefined;

/** A mapping whose expressions are compiled. */
export interface CompiledMapping {
  /** Makes the records of a body, one after another. */
  records(body: JSONValue): Generator<MadeRecord>;
}

/** Compiles a mapping; returns what is wrong with it, with pointers below the mapping. */
export function compileMapping(mapping: Mapping): CompiledMapping | { readonly problems: readonly ErrorDetail[] } {
  const compiling = new Compiling();
  const all = Array.isArray(mapping)
    ? mapping.map((one, index) => compiling.mapping(one, `/${index}`))
    : [compiling.mapping(mapping, "")];
  const { problems } = compiling;
  if (Buffer.byteLength(JSON.stringify(mapping)) > mappingLimits.bytes)
    problems.push({ path: "", code: "too_long", message: `The mapping exceeds ${mappingLimits.bytes} bytes.` });
  if (problems.length > 0) return { problems };
  return {
    *records(body) {
      for (const one of all) yield* recordsOf(one, body);
    },
  };
}

/** Returns a value by its element and the whole body; undefined: the record has no such member. */
type Compute = (element: JSONValue, body: JSONValue) => JSONValue | undefined;

interface Compiled {
  readonly each: Expression | undefined;
  readonly when: Expression | undefined;
  readonly outline: Outline<Compute>;
}

function* recordsOf({ each, when, outline }: Compiled, body: JSONValue): Generator<MadeRecord> {
  for (const element of elementsOf(each === undefined ? [body] : each.search(body))) {
    if (when !== undefined && isFalse(when.search(element, body))) continue;
    const record = outline.fill((compute) => compute(element, body));
    yield isLargerThan(record, mappingLimits.recordBytes) ? undefined : JSON.stringify(record);
  }
}

function elementsOf(found: JSONValue | undefined): readonly JSONValue[] {
  if (found === undefined || found === null) return [];
  return Array.isArray(found) ? found : [found];
}

/** Returns whether JMESPath takes a value for false. */
function isFalse(value: JSONValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  if (typeof value !== "object") return false;
  return Object.keys(value).length === 0;
}

/** Compiles mappings and gathers what is wrong with them. */
class Compiling {
  readonly problems: ErrorDetail[] = [];

  mapping({ each, when, to }: OneMapping, at: string): Compiled {
    const outline = createOutline<Compute>();
    for (const [path, value] of Object.entries(to)) {
      const pointer = `${at}/to/${pointerStep(path)}`;
      const steps = parsePath(path);
      const compute = this.#value(value, pointer);
      if (typeof steps === "string") this.#wrong(pointer, "bad_value", `The path ${steps}.`);
      else if (!outline.add(steps, compute))
        this.#wrong(pointer, "not_allowed", "The path is in the way of another one.");
    }
    const gap = outline.gap();
    if (gap !== undefined) this.#wrong(`${at}/to`, "bad_value", `The list ${gap} leaves out an index.`);
    return { each: this.#expression(each, `${at}/each`), when: this.#expression(when, `${at}/when`), outline };
  }

  #value(value: MappedValue, at: string): Compute {
    if (typeof value === "string") return this.#text(value, at);
    if (typeof value !== "object" || value === null) return () => value;
    if (Array.isArray(value)) return this.#list(value, at);
    const { value: said, map, default: otherwise } = value;
    const compute = typeof said === "string" ? this.#text(said, `${at}/value`) : () => said;
    const table = map === undefined ? undefined : new Map(Object.entries(map));
    return (element, body) => {
      const found = compute(element, body);
      const meant = table === undefined ? found : table.get(keyOf(found));
      return meant ?? otherwise;
    };
  }

  #text(value: string, at: string): Compute {
    if (!value.startsWith("=")) return () => value;
    if (value.startsWith("==")) return () => value.slice(1);
    const expression = this.#expression(value, at);
    return (element, body) => jsonOf(expression?.search(element, body));
  }

  #list(values: readonly (string | number | boolean | null)[], at: string): Compute {
    const computes = values.map((value, index) =>
      typeof value === "string" ? this.#text(value, `${at}/${index}`) : () => value,
    );
    return (element, body) => computes.map((compute) => compute(element, body) ?? null);
  }

  #expression(value: string | undefined, at: string): Expression | undefined {
    if (value === undefined) return undefined;
    if (!value.startsWith("=")) return this.#wrong(at, "bad_value", "An expression begins with `=`.");
    const expression = value.slice(1);
    const { expressionCharacters: max } = mappingLimits;
    if (expression.length > max) return this.#wrong(at, "too_long", `The expression has more than ${max} characters.`);
    const parsed = parseExpression(expression, recordExpressions);
    if ("problem" in parsed) return this.#wrong(at, "bad_value", `The expression ${parsed.problem}.`);
    return parsed;
  }

  #wrong(path: string, code: string, message: string): undefined {
    this.problems.push({ path, code, message });
    return undefined;
  }
}

/** An expression may end at a member that objects of the language have, and JSON does not. */
function jsonOf(found: JSONValue | undefined): JSONValue | undefined {
  return found === null || typeof found === "function" ? undefined : found;
}

/** Returns the text by which a table is read; only scalars have one. */
function keyOf(value: JSONValue | undefined): string {
  return typeof value === "object" || value === undefined ? "" : String(value);
}
