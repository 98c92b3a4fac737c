import type { z } from "zod";
import {
  branchesMeant,
  branchesOf,
  holdsWords,
  isContainer,
  isFreeForm,
  memberSchemas,
  type Schema,
  schemaOf,
  schemasIn,
} from "./jsonSchemas.ts";

const LEVELS_MAX = 32;
const WORD_CHARACTERS_MAX = 64;

/** Returns the word of a list that a text spells without regard to case and to white space around it. */
export function listedWord<Word extends string>(words: readonly Word[], text: unknown): Word | undefined {
  if (typeof text !== "string" || text.length > WORD_CHARACTERS_MAX) return undefined;
  const lower = text.trim().toLowerCase();
  return words.find((word) => word === text) ?? words.find((word) => word.toLowerCase() === lower);
}

/**
 * Returns a copy of a value whose words of enums are spelled as the shape lists them, so that people may write them in any case and with white
 * space around them. Returns the value itself when no word differs by that alone. Only what lies on the way to a word is copied.
 */
export function withListedWords(shape: z.ZodType, value: unknown): unknown {
  const schema = schemaOf(shape);
  return spelled({ schemas: [schema], root: schema }, value, 0);
}

interface Meant {
  readonly schemas: readonly Schema[];
  readonly root: Schema;
}

function spelled({ schemas, root }: Meant, value: unknown, level: number): unknown {
  if (level > LEVELS_MAX || (!isContainer(value) && typeof value !== "string")) return value;
  const meant = schemas.flatMap((schema) => branchesOf(schema, root));
  if (meant.some(isFreeForm)) return value;
  if (typeof value === "string") return wordOf(meant, value);
  if (Array.isArray(value)) {
    const items = meant.flatMap((schema) => schemasIn(schema.items));
    return holdsWords(items, root) ? spelledItems({ schemas: items, root }, value, level) : value;
  }
  return spelledMembers({ schemas: meant, root }, value, level);
}

function wordOf(schemas: readonly Schema[], text: string): string {
  const texts = schemas.filter(({ type, enum: words }) => type === "string" || Array.isArray(words));
  const lists = [...texts, ...schemas.filter((schema) => typeof schema.const === "string")].map(wordsOf);
  // Where any text may stand, none is another word.
  if (lists.some((words) => words === undefined)) return text;
  return (
    listedWord(
      lists.flatMap((words) => words ?? []),
      text,
    ) ?? text
  );
}

function wordsOf({ enum: words, const: word }: Schema): readonly string[] | undefined {
  if (typeof word === "string") return [word];
  return Array.isArray(words) ? words.filter((one) => typeof one === "string") : undefined;
}

function spelledItems(meant: Meant, value: readonly unknown[], level: number): readonly unknown[] {
  const items = value.map((item) => spelled(meant, item, level + 1));
  return items.some((item, index) => item !== value[index]) ? items : value;
}

function spelledMembers({ schemas, root }: Meant, value: object, level: number): object {
  const objects = schemas.filter(({ type }) => type === "object");
  const constants = copied(objects, { root, value, level, isWanted: hasConstant });
  const branches = branchesMeant(objects, constants);
  return copied(branches, { root, value: constants, level, isWanted: () => true });
}

interface Copying {
  readonly root: Schema;
  readonly value: object;
  readonly level: number;
  /** Selects the members that are spelled. */
  readonly isWanted: (schemas: readonly Schema[]) => boolean;
}

/** A branch of a union is known by its constants, which are spelled before all else. */
function hasConstant(schemas: readonly Schema[]): boolean {
  return schemas.every((schema) => typeof schema.const === "string");
}

function copied(schemas: readonly Schema[], { root, value, level, isWanted }: Copying): object {
  const entries = Object.entries(value);
  let isChanged = false;
  const members = entries.map(([name, member]) => {
    const known = schemas.flatMap((schema) => memberSchemas(schema, name));
    if (!holdsWords(known, root) || !isWanted(known)) return [name, member] as const;
    const one = spelled({ schemas: known, root }, member, level + 1);
    isChanged ||= one !== member;
    return [name, one] as const;
  });
  return isChanged ? Object.fromEntries(members) : value;
}
