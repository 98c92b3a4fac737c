import { shapes } from "@headwater/contracts";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import { identifiersTouched, readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import type { Resolution } from "@headwater/records/contacts/resolution";
import { type CreationRight, type Outcome, unresolved } from "@headwater/records/fold/outcome";
import type { StateReads } from "@headwater/records/fold/stateReads";
import type { ListTarget } from "@headwater/records/lists/membership";
import { z } from "zod";
import { type IntakeRecord, type RecordPart, sentMembers } from "./operation.ts";

/** Shapes that both list operations share: the body of several contacts, and the record of one. */
export const listBody = {
  source: shapes.source,
  suppressTriggers: shapes.suppressTriggers,
  identifiers: z.array(shapes.identifiers).min(1).max(shapes.bounds.contactsPerListBody),
  identifiersPriority: shapes.identifiersPriority.optional(),
  ...shapes.listTarget,
} as const;

export const listRecord = {
  ...shapes.recordMembers,
  contact: shapes.contactReference,
  ...shapes.listTarget,
} as const;

interface ListBody extends ListTarget {
  readonly identifiers: readonly Record<string, string | number>[];
  readonly identifiersPriority?: string[] | undefined;
}

/** The contacts of the body, each of which becomes a record. */
export const LIST_ELEMENTS = "/identifiers";
/** Path of the contact in the body of it alone. */
export const LISTED_CONTACT = `${LIST_ELEMENTS}/0`;

/** Returns the outcome of a record that meets no contact. @param right of one that could have it. */
export function unresolvedListed(
  found: Exclude<Resolution, { readonly kind: "contact" }>,
  right?: CreationRight,
): Outcome {
  const outcome = unresolved(found, "", right);
  return outcome.kind === "rejected" ? { ...outcome, path: LISTED_CONTACT } : outcome;
}

/** Exactly one of `listName` and `listId` names the list. */
export function checkListTarget({ listName, listId }: ListTarget) {
  if ((listName === undefined) !== (listId === undefined)) return [];
  const code = listName === undefined ? "required" : "not_allowed";
  return [{ path: "/listName", code, message: "Send either `listName` or `listId`." }];
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
export function itemOfContact(record: ListRecord) {
  const { contact, listName, listId } = record;
  const { identifiers, identifiersPriority } = contact;
  return {
    ...sentMembers(record),
    identifiers: [identifiers],
    ...(identifiersPriority === undefined ? {} : { identifiersPriority }),
    ...(listName === undefined ? { listId } : { listName }),
  };
}

export function listReads(record: ListRecord, origin: Pick<Origin, "account">): StateReads {
  const { listName, listId } = record;
  const read = readIdentifiers(record.contact, origin);
  return { identifiers: identifiersTouched(read), read, members: true, listName, listId };
}
