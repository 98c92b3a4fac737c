import type { Origin } from "./contactIndex.ts";
import type { Apart, Contact } from "./model.ts";

/** Returns whether a write is older than a split that took one of the two out of another contact. */
export function stayApart(left: Contact, right: Contact, { version }: Pick<Origin, "version">): boolean {
  return [left, right].some(({ apart }) => apart !== undefined && version <= apart.since);
}

/** Returns whether the record made the merge that a split has undone since: it comes again, and everything it did was done. */
export function isUndone(contacts: readonly Contact[], { recordId }: Pick<Origin, "recordId">): boolean {
  return contacts.some(({ apart }) => apart?.undone === recordId);
}

export function laterApart(left: Apart | undefined, right: Apart | undefined): Apart | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return right.since > left.since ? right : left;
}
