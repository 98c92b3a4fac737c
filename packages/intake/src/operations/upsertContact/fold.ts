import type { Origin } from "@headwater/records/contacts/contactIndex";
import type { Resolution } from "@headwater/records/contacts/resolution";
import { resolveContact } from "@headwater/records/contacts/resolveContact";
import type { FoldState } from "@headwater/records/fold/foldState";
import { applied, type Folded, folded, type Outcome, skipped, unresolved } from "@headwater/records/fold/outcome";
import type { UpsertContactRecord } from "./schema.ts";

/** Creates, finds or merges the contact, attaches its identifiers and writes its members. */
export function fold(state: FoldState, record: UpsertContactRecord, origin: Origin): Folded {
  const found = resolveContact(state, record.contact, origin);
  if (found.kind !== "contact") return folded(unresolved(found, "", record.contact));
  return folded(outcomeOf(found), found.changeEvents);
}

function outcomeOf(found: Extract<Resolution, { readonly kind: "contact" }>): Outcome {
  const { contact, identityChanged, tally, updateNotAllowed, warnings } = found;
  if (identityChanged || tally.changed > 0) return applied(contact.number, warnings);
  if (updateNotAllowed) {
    return skipped("UPDATE_NOT_ALLOWED", warnings.difference(new Set(["UPDATE_NOT_ALLOWED"])));
  }
  if (tally.superseded > 0) return skipped("SUPERSEDED", warnings);
  if (tally.restricted > 0) return skipped("ATTRIBUTES_RESTRICTED", warnings);
  return skipped("UNCHANGED", warnings);
}
