import type { ListReference } from "../criteria.ts";
import { listIdOf } from "./references.ts";

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

export function createListNames(lists: readonly ListReference[]): ListNames {
  const byReference = new Map<string | number, ListReference>();
  for (const list of lists) {
    const name = list.name.toLowerCase();
    // Of two lists of one name the first one is meant.
    if (!byReference.has(name)) byReference.set(name, list);
    // An id is always the same list.
    const { before: _, ...alone } = list;
    byReference.set(list.id, list.before === undefined ? list : alone);
  }
  return {
    find: (reference) => {
      if (typeof reference === "number") return byReference.get(reference);
      const named = byReference.get(reference.toLowerCase());
      return named ?? byReference.get(listIdOf(reference) ?? Number.NaN);
    },
  };
}
