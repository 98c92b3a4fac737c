import type { MembershipChanged } from "../fold/foldEvents.ts";
import type { FoldState } from "../fold/foldState.ts";
import type { Membership } from "../lists/list.ts";
import type { MembershipChange } from "./batchChanges.ts";
import { type LoadedRows, membershipKey, type UnloadedReads } from "./loadedRows.ts";

type Loaded = Pick<LoadedRows, "memberships" | "membershipsOf">;
type ByList = Map<number, Membership>;

/** The lists of two contacts that become one, before. */
export interface MembershipsOfPair {
  /** Memberships of the contact that is merged. */
  readonly memberships: readonly Membership[];
  /** The survivor's own memberships of these lists. */
  readonly ownMemberships: readonly Membership[];
}

/** Memberships of one batch: loaded rows under the changes of the records folded so far. */
export class MembershipChanges {
  readonly #loaded: Loaded;
  readonly #isMade: (contact: number) => boolean;
  readonly #unloaded: UnloadedReads;
  /** Changes by `membershipKey`. */
  readonly changed = new Map<string, MembershipChange>();
  /** Loaded memberships of contacts all of whose lists are loaded. */
  readonly #loadedByList = new Map<number, ReadonlyMap<number, Membership>>();
  /** Changes by contact and list; made when somebody asks for all lists of a contact. */
  #changedByList: Map<number, ByList> | undefined;

  /** @param isCreated a contact that the batch made is on no list that is stored. */
  constructor(loaded: Loaded, isCreated: (contact: number) => boolean, unloaded: UnloadedReads) {
    this.#loaded = loaded;
    this.#isMade = isCreated;
    this.#unloaded = unloaded;
  }

  /** The memberships as folds of one account see them. */
  of(account: number): Pick<FoldState, "membership" | "membershipsOf" | "setMembership"> {
    return {
      membership: (list, contact) => this.#get(account, list, contact),
      membershipsOf: (contact) => this.#all(account, contact),
      setMembership: (membership) => this.#set({ account, membership, visible: false, suppressTriggers: true }),
    };
  }

  emit({ membership: { list, contact }, emittedAs }: MembershipChanged, suppressed: boolean): void {
    const key = membershipKey(list, contact);
    const change = this.changed.get(key);
    if (change === undefined) return;
    const suppressTriggers = change.suppressTriggers && (suppressed || emittedAs !== undefined);
    this.changed.set(key, { ...change, visible: true, emittedAs, suppressTriggers });
  }

  /** Merges two standings on a list: the later one holds. @returns both as they were, for the record of the merge. */
  merge(account: number, survivor: number, merged: number): MembershipsOfPair {
    // Both at once: what the survivor's are is asked for next.
    if (this.#loadedOf(survivor) === undefined) this.#unloaded.reads.push(readOf(account, survivor));
    const memberships = this.#all(account, merged);
    const own = new Map(memberships.map(({ list }) => [list, this.#get(account, list, survivor)]));
    for (const theirs of memberships) {
      const ours = own.get(theirs.list);
      if (ours !== undefined && ours.version >= theirs.version) continue;
      // Emitted whenever somebody is on the list, for its version counts: a clear of the list may lie between both.
      const visible = theirs.present || ours?.present === true;
      this.#set({ account, membership: { ...theirs, contact: survivor }, visible, suppressTriggers: true });
    }
    return { memberships, ownMemberships: [...own.values()].filter((membership) => membership !== undefined) };
  }

  #get(account: number, list: number, contact: number): Membership | undefined {
    const key = membershipKey(list, contact);
    return this.changed.get(key)?.membership ?? this.stored(account, list, contact);
  }

  /** Returns the membership as it was before the batch. */
  stored(account: number, list: number, contact: number): Membership | undefined {
    const known = this.#loaded.memberships.get(membershipKey(list, contact));
    if (known !== undefined) return known ?? undefined;
    const all = this.#loadedOf(contact);
    return all === undefined
      ? this.#unloaded.note({ kind: "membership", account, list, contact }, undefined)
      : all.get(list);
  }

  #all(account: number, contact: number): readonly Membership[] {
    const loaded = this.#loadedOf(contact);
    if (loaded === undefined) return this.#unloaded.note(readOf(account, contact), []);
    const changed = this.changesOf(contact);
    if (changed === undefined) return [...loaded.values()];
    return [...new Map([...loaded, ...changed]).values()];
  }

  #loadedOf(contact: number): ReadonlyMap<number, Membership> | undefined {
    const known = this.#loadedByList.get(contact);
    if (known !== undefined) return known;
    const loaded = this.#loaded.membershipsOf.get(contact);
    if (loaded === undefined) return this.#isMade(contact) ? noLists : undefined;
    const byList = new Map(loaded.map((membership) => [membership.list, membership]));
    this.#loadedByList.set(contact, byList);
    return byList;
  }

  /** Returns what the batch changed so far of the contact's memberships, by list. */
  changesOf(contact: number): ReadonlyMap<number, Membership> | undefined {
    if (this.#changedByList === undefined) {
      this.#changedByList = new Map();
      for (const { membership } of this.changed.values()) addTo(this.#changedByList, membership);
    }
    return this.#changedByList.get(contact);
  }

  #set(change: MembershipChange): void {
    const { membership } = change;
    const key = membershipKey(membership.list, membership.contact);
    const before = this.changed.get(key);
    const visible = change.visible || before?.visible === true;
    const suppressTriggers = change.suppressTriggers && before?.suppressTriggers !== false;
    this.changed.set(key, { ...change, visible, suppressTriggers });
    if (this.#changedByList !== undefined) addTo(this.#changedByList, membership);
  }
}

const noLists: ReadonlyMap<number, Membership> = new Map();

function readOf(account: number, contact: number) {
  return { kind: "membershipsOf", account, contact } as const;
}

function addTo(byContact: Map<number, ByList>, membership: Membership): void {
  const byList = byContact.get(membership.contact);
  if (byList === undefined) byContact.set(membership.contact, new Map([[membership.list, membership]]));
  else byList.set(membership.list, membership);
}
