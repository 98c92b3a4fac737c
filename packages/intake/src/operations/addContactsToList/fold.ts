import type { ContactWrite } from "@headwater/contracts";
import { isUndone } from "@headwater/records/contacts/apart";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import { readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { resolveContact } from "@headwater/records/contacts/resolveContact";
import type { FoldState } from "@headwater/records/fold/foldState";
import { applied, type Folded, folded, type Outcome, rejected, skipped } from "@headwater/records/fold/outcome";
import type { List } from "@headwater/records/lists/list";
import { listsPassed } from "@headwater/records/lists/listBound";
import { listOf, writeMembership } from "@headwater/records/lists/membership";
import { LISTED_CONTACT, unresolvedListed } from "../listRecords.ts";
import type { AddContactsToListRecord } from "./schema.ts";

/** An unknown name was created before the batch, unless the account is strict or has no space; an unknown id is rejected. */
export function fold(state: FoldState, record: AddContactsToListRecord, origin: Origin): Folded {
  const list = listOf(state, record);
  if (list === undefined) return folded(noList(record, origin));
  const write = { ...record.contact, canBeCreated: record.canBeCreated === true };
  const refused = refuseFull(state, { write, list }, origin);
  if (refused !== undefined) return folded(refused);
  const found = resolveContact(state, write, origin);
  if (found.kind !== "contact") return folded(unresolvedListed(found, write));
  const contact = found.contact.number;
  const written = writeMembership(state, { list, contact, present: true }, origin);
  const events = [...found.changeEvents, ...written.changeEvents];
  if (written.kind === "applied" || found.identityChanged) return folded(applied(contact, found.warnings), events);
  return folded(skipped(written.kind === "superseded" ? "SUPERSEDED" : "UNCHANGED", found.warnings), events);
}

interface Join {
  readonly write: ContactWrite;
  readonly list: List;
}

/** Checks the contact that it finds first, before anything of the record is applied. A record that comes again was applied. */
function refuseFull(state: FoldState, { write, list }: Join, origin: Origin): Outcome | undefined {
  if (state.greatestListId() <= origin.account.settings.limits.listsPerContact) return undefined;
  const { given: input } = origin.read ?? readIdentifiers(write, origin);
  const identifiers = input.kind === "ok" ? input.identifiers : [];
  const hits = identifiers.flatMap((identifier) => state.find(identifier, origin.version) ?? []);
  const [first] = hits;
  if (first === undefined || isUndone(hits, origin)) return undefined;
  const joining = { contact: first.number, joins: [list], version: origin.version };
  const passed = listsPassed(state, joining, origin.account);
  return passed && rejected(passed.code, LISTED_CONTACT, passed.message);
}

function noList({ listName }: AddContactsToListRecord, { account }: Origin): Outcome {
  const { strictLists, limits } = account.settings;
  if (listName === undefined || strictLists) {
    const path = listName === undefined ? "/listId" : "/listName";
    return rejected("ACCOUNT_LISTS_NOT_FOUND", path, "The list does not exist.");
  }
  const message = `The list does not exist, and the account already has the maximum of ${limits.listsPerAccount} lists.`;
  return rejected("ACCOUNT_LISTS_EXCEEDED", "/listName", message);
}
