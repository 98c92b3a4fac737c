import { isJsonObject } from "../../parse/problems.ts";
import type { ListReference } from "./list.ts";

/** The lists of an account by id and by name without its case. A text that spells an id is one where no list has that name. */
export interface ListNames {
  find(reference: string | number): ListReference | undefined;
}

/** Returns the id of each list that a text names, by the text. */
export function listIdsByText(texts: readonly string[], lists: readonly ListReference[]): Map<string, number> {
  const known = createListNames(lists);
  return new Map(
    texts.flatMap((text) => {
      const list = known.find(text);
      return list === undefined ? [] : [[text, list.id] as const];
    }),
  );
}

/** Each index is made when it is first asked: an account may have very many lists. */
export function createListNames(lists: readonly ListReference[]): ListNames {
  let byName: Map<string, ListReference> | undefined;
  let byId: Map<number, ListReference> | undefined;
  const findId = (id: number) => {
    byId ??= indexById(lists);
    return byId.get(id);
  };
  return {
    find: (reference) => {
      if (typeof reference === "number") return findId(reference);
      byName ??= indexByName(lists);
      const id = listIdOf(reference);
      return byName.get(reference.toLowerCase()) ?? (id === undefined ? undefined : findId(id));
    },
  };
}

/** Returns the lists by name without its case: of two the first one is meant. */
function indexByName(lists: readonly ListReference[]): Map<string, ListReference> {
  const index = new Map<string, ListReference>();
  for (const list of lists) {
    const name = list.name.toLowerCase();
    if (!index.has(name)) index.set(name, list);
  }
  return index;
}

/** Returns the lists by id, which is always the same list. */
function indexById(lists: readonly ListReference[]): Map<number, ListReference> {
  const index = new Map<number, ListReference>();
  for (const list of lists) index.set(list.id, list.before === undefined ? list : withoutFormer(list));
  return index;
}

function withoutFormer({ before: _, ...list }: ListReference): ListReference {
  return list;
}

/** Criteria with every list named by what `replace` gives for it; undefined leaves it as it is. */
export function withLists(input: unknown, replace: (list: string | number) => string | number | undefined): unknown {
  if (Array.isArray(input)) return input.map((entry: unknown) => withLists(entry, replace));
  if (!isJsonObject(input)) return input;
  const { list } = input;
  if (typeof list === "string" || typeof list === "number") return { ...input, list: replace(list) ?? list };
  return Object.fromEntries(
    Object.entries(input).map(([name, member]) => [name, RULES.has(name) ? withLists(member, replace) : member]),
  );
}

/** The members of a rule that hold rules. */
const RULES: ReadonlySet<string> = new Set(["and", "or", "not", "exclude"]);

/** Greatest id that a list can have. */
const LIST_ID_MAX = 2_147_483_647;

/** Returns the id of a list, which texts may spell: forms and queries have no numbers. */
export function listIdOf(value: unknown): number | undefined {
  const id = typeof value === "string" && /^[1-9]\d*$/.test(value) ? Number(value) : value;
  return typeof id === "number" && Number.isInteger(id) && id > 0 && id <= LIST_ID_MAX ? id : undefined;
}
