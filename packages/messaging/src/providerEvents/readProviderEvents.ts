import {
  type ProviderEvents,
  type ProviderEventType,
  providerEventMembers,
  providerEventTypes,
} from "@headwater/contracts";
import { type Expression, type JSONValue, parseExpression } from "./expressions.ts";

/** An event that a provider posted, in our words. Members are texts as they stood there. */
export type ProviderEvent = { readonly type: ProviderEventType } & {
  readonly [Name in Exclude<keyof typeof providerEventMembers, "type">]?: string;
} & {
  /** The event as it was posted, for the id of one that has none. */
  readonly raw: JSONValue;
};

/** An expression of a mapping, by its path below `events`. */
export interface MappingExpression {
  readonly path: string;
  readonly text: string;
}

/** Validation error of an expression of a mapping. */
export interface MappingProblem {
  readonly path: string;
  readonly message: string;
}

const VALUE_CHARACTERS = 4_096;
const names = Object.keys(providerEventMembers);

/** Returns the validation errors of expressions. */
export function checkExpressions(expressions: readonly MappingExpression[]): MappingProblem[] {
  return expressions.flatMap(({ path, text }) => {
    const parsed = parseExpression(text);
    return "problem" in parsed ? [{ path, message: `The expression ${parsed.problem}.` }] : [];
  });
}

/** Reads the events in a body. Undefined: there are more than may be. */
export type EventReader = (body: JSONValue, eventsMax: number) => ProviderEvent[] | undefined;

/** Returns the reader of a mapping without problems. Types that are not mapped are left out. */
export function createEventReader({ list, map, types = {} }: ProviderEvents): EventReader {
  const items = list === undefined ? undefined : expressionOf(list);
  const members = names.flatMap((name) => {
    const text = Object.entries(map).find(([own]) => own === name)?.[1];
    return text === undefined ? [] : [{ name, expression: expressionOf(text) }];
  });
  const ours = new Map<string, ProviderEventType>([
    ...providerEventTypes.map((type) => [type, type] as const),
    ...Object.entries(types),
  ]);
  return (body, eventsMax) => {
    const found = listOf(items === undefined ? body : items.search(body));
    if (found.length > eventsMax) return undefined;
    return found.flatMap((raw) => {
      const read = Object.fromEntries(members.map(({ name, expression }) => [name, textOf(expression.search(raw))]));
      const type = ours.get(read.type ?? "") ?? "none";
      return type === "none" ? [] : [{ ...read, type, raw }];
    });
  };
}

function expressionOf(text: string): Expression {
  const parsed = parseExpression(text);
  if ("problem" in parsed) throw new RangeError("a mapping is checked when it is saved");
  return parsed;
}

function listOf(found: JSONValue | undefined): JSONValue[] {
  if (found === undefined || found === null) return [];
  return Array.isArray(found) ? found : [found];
}

function textOf(value: JSONValue | undefined): string | undefined {
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isScalar ? String(value).slice(0, VALUE_CHARACTERS).toWellFormed() : undefined;
}
