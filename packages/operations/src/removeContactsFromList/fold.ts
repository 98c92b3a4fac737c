import { applied, type FoldState, type Outcome, rejected, skipped, unresolved } from "@headwater/domain";
import { type Origin, resolveContact } from "@headwater/domain/contact";
import { listOf, writeMembership } from "@headwater/domain/list";
import type { RemoveContactsFromListRecord } from "./schema.ts";

/** A name that is unknown has no members: nothing to do. An unknown id is a mistake. */
export function fold(state: FoldState, record: RemoveContactsFromListRecord, origin: Origin): Outcome {
  const list = listOf(state, record);
  if (list === undefined) {
    if (record.listName !== undefined) return skipped("ACCOUNT_LISTS_NOT_FOUND");
    return rejected("ACCOUNT_LISTS_NOT_FOUND", "/listId", "The list does not exist.");
  }
  const found = resolveContact(state, record.contact, origin);
  if (found.kind !== "contact") return unresolved(found, "");
  const contact = found.contact.number;
  const written = writeMembership(state, { list, contact, present: false }, origin);
  if (written === "applied" || found.identityChanged) return applied(contact, found.warnings);
  return skipped(written === "superseded" ? "SUPERSEDED" : "NOT_A_MEMBER", found.warnings);
}
