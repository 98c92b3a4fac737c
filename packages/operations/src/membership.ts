import { identifiersTouched, type Origin, readIdentifiers, shapes, timeOfVersion } from "@headwater/contracts";
import { z } from "zod";
import type { IntakeRecord, Lookups, RecordPart } from "./operation.ts";
import type { FoldState, List, Membership } from "./state/foldState.ts";

/** What both list operations share: the body of several contacts, and the record of one. */
export const listBody = {
  source: shapes.source,
  identifiers: z.array(shapes.identifiers).min(1).max(shapes.bounds.contactsPerListBody),
  identifiersPriority: shapes.identifiersPriority.optional(),
  ...shapes.listTarget,
} as const;

export const listRecord = {
  ...shapes.recordMembers,
  contact: shapes.contactReference,
  ...shapes.listTarget,
} as const;

interface ListTarget {
  readonly listName?: string | undefined;
  readonly listId?: number | undefined;
}

interface ListBody extends ListTarget {
  readonly identifiers: readonly Record<string, string | number>[];
  readonly identifiersPriority?: string[] | undefined;
}

/** Exactly one of `listName` and `listId` names the list. */
export function checkListTarget({ listName, listId }: ListTarget) {
  if ((listName === undefined) !== (listId === undefined)) return [];
  const code = listName === undefined ? "required" : "not_allowed";
  return [{ path: "/listName", code, message: "Give either listName or listId." }];
}

export function splitByContact(body: ListBody, canBeCreated?: boolean): readonly RecordPart[] {
  const { identifiersPriority, listName, listId } = body;
  const list = listName === undefined ? { listId } : { listName };
  const rights = canBeCreated === undefined ? {} : { canBeCreated };
  return body.identifiers.map((identifiers) => {
    const contact = identifiersPriority === undefined ? { identifiers } : { identifiers, identifiersPriority };
    return { contact, members: { contact, ...list, ...rights } };
  });
}

interface ListRecord extends IntakeRecord, ListTarget {
  readonly contact: shapes.ContactReference;
}

/** The body of one contact alone. */
export function itemOfContact({ source, contact, listName, listId }: ListRecord) {
  const { identifiers, identifiersPriority } = contact;
  return {
    ...(source === undefined ? {} : { source }),
    identifiers: [identifiers],
    ...(identifiersPriority === undefined ? {} : { identifiersPriority }),
    ...(listName === undefined ? { listId } : { listName }),
  };
}

export function listLookups(record: ListRecord, origin: Pick<Origin, "account">): Lookups {
  const { listName, listId } = record;
  const read = readIdentifiers(record.contact, origin);
  return { identifiers: identifiersTouched(read), read, members: true, listName, listId };
}

export function listOf(state: FoldState, { listName, listId }: ListTarget): List | undefined {
  if (listName !== undefined) return state.listByName(listName);
  return listId === undefined ? undefined : state.listById(listId);
}

export type MembershipWrite = "applied" | "unchanged" | "superseded";

/** The last write wins; one that changes nothing leaves its version as a tombstone. */
export function writeMembership(
  state: FoldState,
  write: { readonly list: List; readonly contact: number; readonly present: boolean },
  origin: Origin,
): MembershipWrite {
  const { list, contact, present } = write;
  const { version } = origin;
  if (list.clearedVersion !== undefined && list.clearedVersion > version) return "superseded";
  const current = living(state.membership(list.id, contact), list);
  if (current !== undefined && current.version > version) return "superseded";
  const same = (current?.present ?? false) === present;
  const joinedAt = same && current !== undefined ? current.joinedAt : timeOfVersion(version);
  state.setMembership({ list: list.id, contact, present, joinedAt, version }, !same);
  return same ? "unchanged" : "applied";
}

/** What stands on the list: what a clear took from it is nothing. */
export function living(membership: Membership | undefined, list: List): Membership | undefined {
  if (membership === undefined || list.clearedVersion === undefined) return membership;
  return membership.version > list.clearedVersion ? membership : undefined;
}
