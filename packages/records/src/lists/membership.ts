import { timeOfVersion } from "@headwater/contracts";
import type { Origin } from "../contacts/contactIndex.ts";
import { type FoldResult, noChangeEvents } from "../fold/foldEvents.ts";
import type { FoldState, List, Membership } from "../fold/foldState.ts";

/** Name of a list in a record: exactly one of the two. */
export interface ListTarget {
  readonly listName?: string | undefined;
  readonly listId?: number | undefined;
}

export function listOf(state: FoldState, { listName, listId }: ListTarget): List | undefined {
  if (listName !== undefined) return state.listByName(listName);
  return listId === undefined ? undefined : state.listById(listId);
}

export interface MembershipWrite extends FoldResult {
  readonly kind: "applied" | "unchanged" | "superseded";
}

const superseded: MembershipWrite = { kind: "superseded", changeEvents: noChangeEvents };
const unchanged: MembershipWrite = { kind: "unchanged", changeEvents: noChangeEvents };

/** The last write wins; one that changes nothing leaves its version as a tombstone. */
export function writeMembership(
  state: FoldState,
  write: { readonly list: List; readonly contact: number; readonly present: boolean },
  origin: Origin,
): MembershipWrite {
  const { list, contact, present } = write;
  const { version } = origin;
  if (list.clearedVersion !== undefined && list.clearedVersion > version) return superseded;
  const current = liveMembership(state.membership(list.id, contact), list);
  if (current !== undefined && current.version > version) return superseded;
  const same = (current?.present ?? false) === present;
  const joinedAt = same && current !== undefined ? current.joinedAt : timeOfVersion(version);
  const membership = { list: list.id, contact, present, joinedAt, version };
  state.setMembership(membership);
  return same ? unchanged : { kind: "applied", changeEvents: [{ kind: "membership", membership }] };
}

/** Returns the membership unless a clear took it. */
export function liveMembership(membership: Membership | undefined, list: List): Membership | undefined {
  if (membership === undefined || list.clearedVersion === undefined) return membership;
  return membership.version > list.clearedVersion ? membership : undefined;
}
