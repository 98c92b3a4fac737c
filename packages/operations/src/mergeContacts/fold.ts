import { type Identifier, isAttachable, type shapes } from "@headwater/contracts";
import {
  applied,
  type FoldState,
  type Outcome,
  rejected,
  skipped,
  unknownContact,
  unresolved,
} from "@headwater/domain";
import {
  type Contact,
  countIdentifiers,
  fitTogether,
  isUndone,
  mergeExplicitly,
  type Origin,
  type Resolution,
  readIdentifiers,
  resolveContact,
  showInstead,
  stayApart,
} from "@headwater/domain/contact";
import type { MergeContactsRecord } from "./schema.ts";

/**
 * Merges the previous contact into the destination. Where only one of them exists it gets the other's identifier; where
 * none does, one contact with both is made. A record merges one pair at most.
 */
export function fold(state: FoldState, { contact, previous }: MergeContactsRecord, origin: Origin): Outcome {
  const [given, before] = [identifiersOf(contact, origin), identifiersOf(previous, origin)];
  const source = firstFound(state, before, origin);
  if (source !== undefined && isUndone([source], origin)) return skipped("DUPLICATE");
  const into = firstFound(state, given, origin);
  const known = into ?? source;
  if (into === undefined || source === undefined) {
    const added = [...given, ...before].filter((one) => known !== undefined && isLacking(known, one));
    if (isFull(known, added.length, origin)) return full(origin);
  }
  if (into === undefined && source !== undefined) return rename(state, source, given, origin);
  if (source !== undefined && into !== undefined && !mayBecomeOne(source, into, origin)) return tooLarge();
  const found = resolveContact(state, contact, origin);
  if (found.kind !== "contact") return unresolved(found, "/contact");
  const { contact: destination, identityChanged, warnings } = found;
  // The source may be the destination itself, or have become one with it by what the record says of the destination.
  const isOther = source !== undefined && source.mergedInto === undefined && source.number !== destination.number;
  if (isOther && !origin.account.settings.features.merge) {
    return rejected("MERGE_CONFLICT", "/previous", "Merging is disabled for this account.");
  }
  if (isOther && stayApart(source, destination, origin)) return leftApart(found);
  if (isOther) mergeExplicitly(state, { source, destination, attributes: "destinationContact" }, origin);
  const [first] = before;
  const isAttached = source === undefined && first !== undefined && attach(state, destination, first, origin);
  if (isOther || isAttached || identityChanged) return applied(destination.number, warnings);
  return skipped("UNCHANGED", warnings);
}

function isLacking({ identifiers }: Contact, identifier: Identifier): boolean {
  return isAttachable(identifier) && identifiers.get(identifier.name)?.includes(identifier.value) !== true;
}

function isFull(contact: Contact | undefined, added: number, { account }: Origin): boolean {
  return added > 0 && countIdentifiers(contact) + added > account.settings.limits.identifiersPerContact;
}

function full({ account }: Origin): Outcome {
  const { identifiersPerContact: max } = account.settings.limits;
  return rejected(
    "CONTACT_IDENTIFIERS_EXCEEDED",
    "/contact/identifiers",
    `A contact can have at most ${max} identifiers.`,
  );
}

function mayBecomeOne(source: Contact, into: Contact, { account }: Origin): boolean {
  return source.number === into.number || fitTogether(source, into, account.settings);
}

function tooLarge(): Outcome {
  return rejected("CONTACT_TOO_LARGE", "/previous", "The merged contact would exceed the size limit of a contact.");
}

/** The record is older than a split that took one of the two out of the other. */
function leftApart({ contact, identityChanged, warnings }: Extract<Resolution, { readonly kind: "contact" }>): Outcome {
  const told = new Set([...warnings, "MERGE_CONFLICT" as const]);
  return identityChanged ? applied(contact.number, told) : skipped("UNCHANGED", told);
}

function identifiersOf(reference: shapes.ContactReference, origin: Origin): readonly Identifier[] {
  const { given } = readIdentifiers(reference, origin);
  return given.kind === "ok" ? given.identifiers : [];
}

function firstFound(state: FoldState, identifiers: readonly Identifier[], { version }: Origin): Contact | undefined {
  for (const identifier of identifiers) {
    const contact = state.find(identifier, version);
    if (contact !== undefined) return contact;
  }
  return undefined;
}

/** Renames the previous contact, the only one that exists: it is known by the new identifiers from now on, and by its own as before. */
function rename(state: FoldState, contact: Contact, identifiers: readonly Identifier[], origin: Origin): Outcome {
  const attachable = identifiers.filter(isAttachable);
  if (attachable.length === 0) return unknownContact("/contact/identifiers");
  for (const identifier of attachable) {
    showInstead(state, contact, identifier, origin);
    state.changed(contact, `identifiers.${identifier.name}`, identifier.value, origin.version);
  }
  return applied(contact.number);
}

/** Nobody has the identifier: it finds the contact from now on, and is shown where the contact shows none of its name. */
function attach(state: FoldState, contact: Contact, identifier: Identifier, origin: Origin): boolean {
  if (!isLacking(contact, identifier)) return false;
  const isShown = !contact.identifiers.has(identifier.name);
  state.attach(contact, identifier, isShown);
  if (isShown) state.changed(contact, `identifiers.${identifier.name}`, identifier.value, origin.version);
  return true;
}
