import { findsByHash, type Identifier, identifiersInOrder, isHashedName, type shapes } from "@headwater/contracts";
import type { Origin } from "@headwater/records/contacts/contactIndex";

/**
 * The one identifier of a contact that names no attributes: such a record reads and writes no member of the contact it
 * finds, so that its row need not be loaded. Undefined for every other contact.
 */
export function soleIdentifier(contact: shapes.ContactWrite, origin: Pick<Origin, "account">): Identifier | undefined {
  if (contact.attributes !== undefined) return undefined;
  let only: string | undefined;
  for (const name in contact.identifiers) {
    if (only !== undefined) return undefined;
    only = name;
  }
  if (only === undefined) return undefined;
  if (isHashedName(only) && !findsByHash(origin.account.settings)) return undefined;
  const read = identifiersInOrder(origin.account.settings, contact.identifiers, undefined);
  // A former form finds contacts as well.
  return read.kind === "ok" && read.former === undefined ? read.identifiers[0] : undefined;
}

/** A record's identity as text: its first identifier in order of trial. */
export function firstIdentifierText(contact: shapes.ContactWrite, origin: Pick<Origin, "account">): string {
  const sole = soleIdentifier(contact, origin);
  if (sole !== undefined) return `${sole.name}\n${sole.value}`;
  const { settings } = origin.account;
  const ordered = identifiersInOrder(settings, contact.identifiers, contact.identifiersPriority);
  const first = ordered.kind === "ok" ? ordered.identifiers[0] : undefined;
  return first === undefined ? "" : `${first.name}\n${first.value}`;
}
