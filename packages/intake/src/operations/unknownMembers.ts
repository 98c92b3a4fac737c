import type { UnknownPlace } from "@headwater/kernel";
import type { z } from "zod";

export function unknownPlaces(error: z.core.$ZodError): UnknownPlace[] {
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((name) => ({ path: issue.path, name })) : [],
  );
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
