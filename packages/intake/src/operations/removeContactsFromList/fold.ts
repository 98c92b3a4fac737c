import type { Origin } from "@headwater/records/contacts/contactIndex";
import { resolveContact } from "@headwater/records/contacts/resolveContact";
import type { FoldState } from "@headwater/records/fold/foldState";
import { applied, type Folded, folded, rejected, skipped } from "@headwater/records/fold/outcome";
import { listOf, writeMembership } from "@headwater/records/lists/membership";
import { unresolvedListed } from "../listRecords.ts";
import type { RemoveContactsFromListRecord } from "./schema.ts";

/** A name that is unknown has no members: nothing to do. An unknown id is a mistake. */
export function fold(state: FoldState, record: RemoveContactsFromListRecord, origin: Origin): Folded {
  const list = listOf(state, record);
  if (list === undefined) {
    if (record.listName !== undefined) return folded(skipped("ACCOUNT_LISTS_NOT_FOUND"));
    return folded(rejected("ACCOUNT_LISTS_NOT_FOUND", "/listId", "The list does not exist."));
  }
  const found = resolveContact(state, record.contact, origin);
  if (found.kind !== "contact") return folded(unresolvedListed(found));
  const contact = found.contact.number;
  const written = writeMembership(state, { list, contact, present: false }, origin);
  const events = [...found.changeEvents, ...written.changeEvents];
  if (written.kind === "applied" || found.identityChanged) return folded(applied(contact, found.warnings), events);
  return folded(skipped(written.kind === "superseded" ? "SUPERSEDED" : "NOT_A_MEMBER", found.warnings), events);
}
