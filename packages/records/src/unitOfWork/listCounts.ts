import type { FoldState } from "../fold/foldState.ts";
import type { Membership } from "../lists/list.ts";
import { liveMembership } from "../lists/membership.ts";
import type { ListChanges } from "./listChanges.ts";
import type { LoadedRows, UnloadedReads } from "./loadedRows.ts";
import type { MembershipChanges } from "./membershipChanges.ts";

export interface Counted {
  readonly loaded: Pick<LoadedRows, "greatestListIds" | "listCounts">;
  readonly lists: ListChanges;
  readonly memberships: MembershipChanges;
  /** A contact that the batch made is on no list that is stored. */
  readonly isMade: (contact: number) => boolean;
  readonly unloaded: UnloadedReads;
}

/** Counts the lists of a contact: those that are stored, and what the batch changed since. */
export class ListCounts {
  readonly #on: Counted;

  constructor(on: Counted) {
    this.#on = on;
  }

  /** The counts as folds of one account see them. */
  of(account: number): Pick<FoldState, "listCount" | "greatestListId"> {
    return {
      listCount: (contact) => this.#count(account, contact),
      greatestListId: () => {
        const { loaded, unloaded } = this.#on;
        return loaded.greatestListIds.get(account) ?? unloaded.note({ kind: "greatestListId", account }, 0);
      },
    };
  }

  #count(account: number, contact: number): number {
    const { lists, memberships } = this.#on;
    const changed = memberships.changesOf(contact) ?? new Map<number, Membership>();
    const cleared = lists.clears.flatMap((clear) => (clear.account === account ? [clear.list] : []));
    let count = this.#stored(account, contact);
    for (const id of new Set([...changed.keys(), ...cleared])) {
      const before = memberships.stored(account, id, contact);
      const list = { kind: "listId", account, id } as const;
      count += isOn(changed.get(id) ?? before, lists.find(list)) - isOn(before, lists.stored(list));
    }
    return count;
  }

  #stored(account: number, contact: number): number {
    const { loaded, unloaded, isMade: isCreated } = this.#on;
    const known = loaded.listCounts.get(contact);
    if (known !== undefined) return known;
    return isCreated(contact) ? 0 : unloaded.note({ kind: "listCount", account, contact }, 0);
  }
}

/** A deleted list has nobody. */
function isOn(membership: Membership | undefined, list: Parameters<typeof liveMembership>[1] | undefined): 0 | 1 {
  return list !== undefined && liveMembership(membership, list)?.present === true ? 1 : 0;
}
