import type { ListReference } from "../criteria.ts";

/** The lists of an account by id and by name without its case. */
export interface ListNames {
  find(reference: string | number): ListReference | undefined;
}

export function createListNames(lists: readonly ListReference[]): ListNames {
  const byReference = new Map<string | number, ListReference>();
  for (const list of lists) {
    const name = list.name.toLowerCase();
    // Of two lists of one name the first one is meant.
    if (!byReference.has(name)) byReference.set(name, list);
    byReference.set(list.id, list);
  }
  return {
    find: (reference) => byReference.get(typeof reference === "string" ? reference.toLowerCase() : reference),
  };
}
