import type { z } from "zod";
import { boundedDetails } from "../boundedDetails.ts";
import { nearestName, SUGGESTED_CHARACTERS_MAX } from "../nearestName.ts";
import {
  answerSchemaOf,
  branchesMeant,
  branchesOf,
  isContainer,
  isFreeForm,
  memberSchemas,
  namesMember,
  type Schema,
  schemaOf,
  schemasIn,
} from "./jsonSchemas.ts";
import { pointerOf } from "./shapeDetails.ts";

/** A member that no shape names: ignored, and reported so that a misspelling is noticed. */
export interface UnknownMember {
  readonly path: string;
  readonly code: "unknown_member";
  readonly message: string;
  readonly suggestion?: string;
}

/** Location of a member that no shape names. */
export interface UnknownPath {
  readonly path: readonly PropertyKey[];
  readonly name: string;
}

/** A member that only answers have: a body that was read before holds it, and a write ignores it. */
export interface ReadOnlyMember {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

export interface IgnoredMembers {
  readonly unknown: readonly UnknownMember[];
  readonly readOnly: readonly ReadOnlyMember[];
}

/** A sender that misspells does so in every item: so many of one body are reported, the others are only ignored. */
const REPORTED_MAX = 20;
/** Suggestions are remembered: searching for one costs more than all else of an item. */
const REMEMBERED_MAX = 1_000;
const LEVELS_MAX = 32;

/** Returns a warning for each of the first members of a value that the shape does not name, at any level. */
export function unknownMembersOf(shape: z.ZodType, value: unknown): readonly UnknownMember[] {
  return ignoredMembersOf(shape, value).unknown;
}

/**
 * Returns the first members of a value that the shape does not name, at any level, and all read-only ones.
 * @param value passes the shape, which strips them.
 * @param readAs shape of answers that hold the value: members that it names are read-only, not unknown.
 */
export function ignoredMembersOf(shape: z.ZodType, value: unknown, readAs?: z.ZodType): IgnoredMembers {
  const schema = schemaOf(shape);
  const read = readAs === undefined ? undefined : answerSchemaOf(readAs);
  const walk: Walk = { root: schema, read, places: [], readOnly: [] };
  visit(walk, { schemas: [schema], reads: read === undefined ? [] : [read], value, path: [] });
  const { places: paths, readOnly } = walk;
  return { unknown: paths.length === 0 ? [] : unknownMemberWarnings(paths, shape), readOnly };
}

/** Returns the warnings of members that a shape does not name, with the names of its members that they may have meant. */
export function unknownMemberWarnings(positions: readonly UnknownPath[], shape: z.ZodType): UnknownMember[] {
  const warnings = positions.slice(0, REPORTED_MAX).map(({ path, name }): UnknownMember => {
    const suggestion = suggest(name, shape);
    return {
      path: pointerOf([...path, name]),
      code: "unknown_member",
      message: `${JSON.stringify(nameView(name))} is not a known member and was ignored.`,
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  });
  return boundedDetails(warnings);
}

const NAME_CHARACTERS_DISPLAYED = 200;

function nameView(name: string): string {
  return name.length > NAME_CHARACTERS_DISPLAYED ? `${name.slice(0, NAME_CHARACTERS_DISPLAYED)}…` : name;
}

interface Visit {
  readonly schemas: readonly Schema[];
  /** Schemas of the value in answers. */
  readonly reads: readonly Schema[];
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

interface Walk {
  readonly root: Schema;
  readonly read: Schema | undefined;
  readonly places: UnknownPath[];
  readonly readOnly: ReadOnlyMember[];
}

function visit(walk: Walk, { schemas, reads, value, path }: Visit): void {
  if (isComplete(walk) || path.length > LEVELS_MAX || !isContainer(value)) return;
  const meant = schemas.flatMap((schema) => branchesOf(schema, walk.root));
  if (meant.some(isFreeForm)) return;
  const { read } = walk;
  const answered = read === undefined ? [] : reads.flatMap((schema) => branchesOf(schema, read));
  if (Array.isArray(value)) visitItems(walk, { schemas: meant, reads: answered, value, path });
  else visitMembers(walk, { schemas: branchesMeant(meant, value), reads: answered, value, path });
}

/** A walk that also collects read-only members goes on to the end of the value. */
function isComplete({ places, read }: Walk): boolean {
  return read === undefined && places.length >= REPORTED_MAX;
}

function visitItems(walk: Walk, { schemas, reads, value, path }: Visit & { readonly value: readonly unknown[] }): void {
  const items = schemas.flatMap((schema) => schemasIn(schema.items));
  if (items.length === 0) return;
  const answered = reads.flatMap((schema) => schemasIn(schema.items));
  for (const [index, item] of value.entries()) {
    visit(walk, { schemas: items, reads: answered, value: item, path: [...path, index] });
  }
}

function visitMembers(walk: Walk, { schemas, reads, value, path }: Visit & { readonly value: object }): void {
  if (schemas.length === 0) return;
  for (const [name, member] of Object.entries(value)) {
    const known = schemas.flatMap((schema) => memberSchemas(schema, name));
    const answered = reads.flatMap((schema) => memberSchemas(schema, name));
    if (known.length > 0) visit(walk, { schemas: known, reads: answered, value: member, path: [...path, name] });
    else if (reads.some((schema) => namesMember(schema, name)))
      walk.readOnly.push({ path: [...path, name], value: member });
    else if (walk.places.length < REPORTED_MAX) walk.places.push({ path, name });
  }
}

interface Knowledge {
  /** Names of all members of the shape. */
  readonly names: readonly string[];
  readonly remembered: Map<string, string | undefined>;
}

const knowledge = new WeakMap<z.ZodType, Knowledge>();

function knowledgeOf(shape: z.ZodType): Knowledge {
  const known = knowledge.get(shape);
  if (known !== undefined) return known;
  const names = new Set<string>();
  collectNames(schemaOf(shape), names);
  const created = { names: [...names], remembered: new Map<string, string | undefined>() };
  knowledge.set(shape, created);
  return created;
}

function collectNames(schema: unknown, names: Set<string>): void {
  if (!isContainer(schema)) return;
  if ("properties" in schema && isContainer(schema.properties)) {
    for (const name of Object.keys(schema.properties)) names.add(name);
  }
  for (const inner of Object.values(schema)) collectNames(inner, names);
}

function suggest(name: string, shape: z.ZodType): string | undefined {
  // Nothing is near it, and remembered it would keep its memory.
  if (name.length > SUGGESTED_CHARACTERS_MAX) return undefined;
  const { names, remembered } = knowledgeOf(shape);
  if (remembered.has(name)) return remembered.get(name);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  // A known name in the wrong location is spelled right: another name would not help.
  const nearest = names.includes(name) ? undefined : nearestName(name, names);
  remembered.set(name, nearest);
  return nearest;
}
