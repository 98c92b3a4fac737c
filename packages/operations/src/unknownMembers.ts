import { boundedDetails, pointerOf } from "@headwater/kernel";
import type { z } from "zod";
import { toJsonSchema } from "./jsonSchema.ts";
import { nearestName } from "./nearestName.ts";
import type { ValidatedOperation } from "./operation.ts";

/**
 * Something of an accepted item that its sender should know: a member that no shape names and that was ignored, or an address that is
 * none.
 */
export interface ItemWarning {
  readonly path: string;
  readonly code: "unknown_member" | "not_an_address";
  readonly message: string;
  readonly suggestion?: string;
}

/** Place of a member that no shape names. */
export interface UnknownPlace {
  readonly path: readonly PropertyKey[];
  readonly name: string;
}

/** A sender that misspells says it in every item: so many of one item are named, the others are only ignored. */
const NAMED_MAX = 20;
/** Suggestions are remembered, for looking for one costs more than all else of an item. */
const REMEMBERED_MAX = 1_000;

export function unknownPlaces(error: z.core.$ZodError): UnknownPlace[] {
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((name) => ({ path: issue.path, name })) : [],
  );
}

export function toWarnings(
  places: readonly UnknownPlace[],
  operation: Pick<ValidatedOperation, "body">,
): ItemWarning[] {
  const warnings = places.slice(0, NAMED_MAX).map(({ path, name }): ItemWarning => {
    const suggestion = suggest(name, operation);
    return {
      path: pointerOf([...path, name]),
      code: "unknown_member",
      message: `${JSON.stringify(shownName(name))} is not a known member and was ignored.`,
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  });
  return boundedDetails(warnings);
}

const NAME_CHARACTERS_SHOWN = 200;

function shownName(name: string): string {
  return name.length > NAME_CHARACTERS_SHOWN ? `${name.slice(0, NAME_CHARACTERS_SHOWN)}…` : name;
}

/** A copy without the members. Only what lies on the way to them is copied: the rest may be of any depth and size. */
export function withoutMembers(item: unknown, places: readonly UnknownPlace[]): unknown {
  const copies = new Set<unknown>();
  const root = copyOf(item, copies);
  for (const { path, name } of places) {
    let at: unknown = root;
    for (const step of path) at = stepInto(at, step, copies);
    if (isContainer(at)) Reflect.deleteProperty(at, name);
  }
  return root;
}

/** Puts a copy in the member's place, unless it is one already, and goes into it. */
function stepInto(parent: unknown, step: PropertyKey, copies: Set<unknown>): unknown {
  if (!isContainer(parent)) return undefined;
  const inner: unknown = Reflect.get(parent, step);
  if (copies.has(inner)) return inner;
  const copy = copyOf(inner, copies);
  Reflect.set(parent, step, copy);
  return copy;
}

function copyOf(value: unknown, copies: Set<unknown>): unknown {
  if (!isContainer(value)) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copies.add(copy);
  return copy;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

interface Suggestions {
  readonly known: readonly string[];
  readonly remembered: Map<string, string | undefined>;
}

const suggestionsOf = new WeakMap<z.ZodType, Suggestions>();

function suggest(name: string, operation: Pick<ValidatedOperation, "body">): string | undefined {
  const { known, remembered } = suggestionsFor(operation);
  if (remembered.has(name)) return remembered.get(name);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  // A known name that stands in the wrong place is spelled right: another name would not help.
  const nearest = known.includes(name) ? undefined : nearestName(name, known);
  remembered.set(name, nearest);
  return nearest;
}

/** Names of all members of a body's shapes. */
function suggestionsFor({ body }: Pick<ValidatedOperation, "body">): Suggestions {
  const made = suggestionsOf.get(body);
  if (made !== undefined) return made;
  const names = new Set<string>();
  collectNames(toJsonSchema(body), names);
  const suggestions = { known: [...names], remembered: new Map<string, string | undefined>() };
  suggestionsOf.set(body, suggestions);
  return suggestions;
}

function collectNames(schema: unknown, names: Set<string>): void {
  if (!isContainer(schema)) return;
  if ("properties" in schema && isContainer(schema.properties)) {
    for (const name of Object.keys(schema.properties)) names.add(name);
  }
  for (const inner of Object.values(schema)) collectNames(inner, names);
}
