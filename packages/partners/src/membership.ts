import { type AccountSettings, shapes } from "@headwater/contracts";
import { type Identifiers, whyNoContact } from "./identity.ts";
import { type Part, type PartnerList, refusedPart } from "./push.ts";

/** Contacts that a push puts on a list or takes off it. */
export interface MembershipChange {
  readonly operation: "addContactsToList" | "removeContactsFromList";
  readonly list: PartnerList;
  /** JSON pointer to the contacts in the push. */
  readonly path: string;
  readonly contacts: readonly unknown[];
  readonly canBeCreated: boolean;
  /** Which contact an element names; no member when it names none. */
  identifiersOf(contact: unknown): Identifiers;
}

/** Bodies of the list operations, each of as many contacts as one may have, and the contacts that cannot be identified. */
export function membershipParts(settings: AccountSettings, change: MembershipChange): Part[] {
  const { operation, list, path, contacts } = change;
  const named: Identifiers[] = [];
  const refused: Part[] = [];
  contacts.forEach((contact, index) => {
    const identifiers = change.identifiersOf(contact);
    const reason = whyNoContact(settings, identifiers);
    if (reason === undefined) named.push(identifiers);
    else refused.push(refusedPart(`${path}/${index}`, contact, reason));
  });
  const rights = operation === "addContactsToList" ? { canBeCreated: change.canBeCreated } : {};
  const items: Part[] = inBodies(named).map((identifiers) => {
    return { kind: "item", path, operation, body: { identifiers, ...rights }, list };
  });
  return [...items, ...refused];
}

function inBodies(all: readonly Identifiers[]): Identifiers[][] {
  const size = shapes.bounds.contactsPerListBody;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
