import { type AccountSettings, shapes } from "@headwater/contracts";
import type { Sliced } from "@headwater/kernel";
import { type Identifiers, type Identities, refusedIdentities, whyUnidentified } from "./identity.ts";
import { PARTS_MAX, type Part, type PartnerList, refusedPart } from "./push.ts";

/** Contacts that a push puts on a list or takes off it. */
export interface MembershipChange {
  readonly operation: "addContactsToList" | "removeContactsFromList";
  readonly list: PartnerList;
  /** JSON pointer to the contacts in the push. */
  readonly path: string;
  readonly contacts: readonly unknown[];
  readonly canBeCreated: boolean;
  /** Returns the identities of the contact that an element names. */
  identitiesOf(contact: unknown): Identities;
}

const CONTACTS_PER_STEP = 64;

/** Bodies of the list operations, each of as many contacts as one may have, and the contacts that cannot be identified. */
export function* membershipParts(settings: AccountSettings, change: MembershipChange): Sliced<Part[]> {
  const { operation, list, path, contacts } = change;
  const named: Identifiers[] = [];
  const refused: Part[] = [];
  for (const [index, contact] of contacts.entries()) {
    if (named.length + refused.length > PARTS_MAX) break;
    const identities = change.identitiesOf(contact);
    const at = `${path}/${index}`;
    const reason = whyUnidentified(settings, identities);
    if (reason === undefined) {
      named.push(identities.identifiers);
      refused.push(...refusedIdentities(at, identities));
    } else {
      refused.push(refusedPart(at, contact, reason.message, reason.code));
    }
    if (index % CONTACTS_PER_STEP === 0) yield;
  }
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
