import type { Account } from "@headwater/contracts";
import type { FoldState, List } from "../fold/foldState.ts";
import { liveMembership } from "./membership.ts";

/** Lists that a write puts a contact on and takes it off. */
export interface Joining {
  /** Undefined for a contact that the write creates. */
  readonly contact: number | undefined;
  readonly joins: readonly List[];
  readonly leaves?: readonly List[] | undefined;
  readonly version: string;
}

/**
 * Returns why the contact may not be put on the lists; undefined when it may, and whenever it comes onto no more lists than it is on: a
 * contact beyond the bound, by a merge or from before, can still be taken off. Only an account with more lists than the bound is counted.
 * Merges are never refused: contacts that are one person would stay two. The contact is not locked for the count, so two partitions may each
 * pass the bound by one record.
 */
export function listsPassed(state: FoldState, joining: Joining, { settings }: Pick<Account, "settings">) {
  const { contact, joins, leaves = [] } = joining;
  const { listsPerContact: max } = settings.limits;
  if (joins.length === 0 || state.greatestListId() <= max) return undefined;
  const more = joins.filter((list) => isChanged(state, joining, { list, present: true })).length;
  const less = leaves.filter((list) => isChanged(state, joining, { list, present: false })).length;
  if (more <= less || (contact === undefined ? 0 : state.listCount(contact)) + more - less <= max) return undefined;
  return { code: "CONTACT_LISTS_EXCEEDED", message: `A contact can be on at most ${max} lists.` } as const;
}

/** Returns whether the write takes the contact to or from the list: what came later stays. */
function isChanged(
  state: FoldState,
  { contact, version }: Joining,
  { list, present }: { readonly list: List; readonly present: boolean },
): boolean {
  if (list.clearedVersion !== undefined && list.clearedVersion > version) return false;
  const current = contact === undefined ? undefined : liveMembership(state.membership(list.id, contact), list);
  return (current?.present ?? false) !== present && (current === undefined || current.version <= version);
}
