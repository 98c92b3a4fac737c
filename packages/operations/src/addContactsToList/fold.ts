import { applied, type FoldState, type Outcome, rejected, skipped, unresolved } from "@headwater/domain";
import { type Origin, resolveContact } from "@headwater/domain/contact";
import { listOf, writeMembership } from "@headwater/domain/list";
import type { AddContactsToListRecord } from "./schema.ts";

/** An unknown name was created before the batch, unless the account is strict or has no room; an unknown id is rejected. */
export function fold(state: FoldState, record: AddContactsToListRecord, origin: Origin): Outcome {
  const list = listOf(state, record);
  if (list === undefined) return noList(record, origin);
  const write = { ...record.contact, canBeCreated: record.canBeCreated === true };
  const found = resolveContact(state, write, origin);
  if (found.kind !== "contact") return unresolved(found, "");
  const contact = found.contact.number;
  const written = writeMembership(state, { list, contact, present: true }, origin);
  if (written === "applied" || found.identityChanged) return applied(contact, found.warnings);
  return skipped(written === "superseded" ? "SUPERSEDED" : "UNCHANGED", found.warnings);
}

function noList({ listName }: AddContactsToListRecord, { account }: Origin): Outcome {
  const { strictLists, limits } = account.settings;
  if (listName === undefined || strictLists) {
    return rejected("ACCOUNT_LISTS_NOT_FOUND", "/listName", "The list does not exist.");
  }
  const message = `The list does not exist, and the account already has the maximum of ${limits.listsPerAccount} lists.`;
  return rejected("ACCOUNT_LISTS_EXCEEDED", "/listName", message);
}
