import type { OfferedList } from "./offeredLists.ts";

/** Choice of a person on the page. */
export interface ListChoice {
  /** Lists that it was on when the page was shown. */
  readonly before: ReadonlySet<string>;
  /** Lists that it wants to be on. */
  readonly wanted: ReadonlySet<string>;
}

/** Reads the members `list` (chosen) and `shown` (chosen before) of the form; undefined when one is a list that is not offered. */
export function listChoiceOf(form: URLSearchParams, lists: readonly OfferedList[]): ListChoice | undefined {
  const offered = new Set(lists.map(({ name }) => name));
  const [before, wanted] = [new Set(form.getAll("shown")), new Set(form.getAll("list"))];
  return before.isSubsetOf(offered) && wanted.isSubsetOf(offered) ? { before, wanted } : undefined;
}

/** Returns the lists that the choice joins and leaves. */
export function changesOf({ before, wanted }: ListChoice): { readonly joins: string[]; readonly leaves: string[] } {
  return { joins: [...wanted.difference(before)], leaves: [...before.difference(wanted)] };
}
