import { type Identifier, isAttachable, type shapes } from "@headwater/contracts";
import { isUndone, stayApart } from "@headwater/records/contacts/apart";
import { countIdentifiers, fitTogether } from "@headwater/records/contacts/contactBounds";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import { mergeExplicitly } from "@headwater/records/contacts/explicitMerge";
import { showInstead } from "@headwater/records/contacts/identifierHistory";
import type { Contact } from "@headwater/records/contacts/model";
import { readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import type { Resolution } from "@headwater/records/contacts/resolution";
import { resolveContact } from "@headwater/records/contacts/resolveContact";
import { type FoldEvent, memberChanged } from "@headwater/records/fold/foldEvents";
import type { FoldState } from "@headwater/records/fold/foldState";
import {
  applied,
  type Folded,
  folded,
  type Outcome,
  rejected,
  skipped,
  unknownContact,
  unresolved,
} from "@headwater/records/fold/outcome";
import type { MergeContactsRecord } from "./schema.ts";

/**
 * Merges the previous contact into the destination. Where only one of them exists it gets the other's identifier; where
 * none does, one contact with both is made. A record merges one pair at most.
 */
export function fold(state: FoldState, { contact, previous }: MergeContactsRecord, origin: Origin): Folded {
  const [input, before] = [identifiersOf(contact, origin), identifiersOf(previous, origin)];
  const source = firstFound(state, before, origin);
  if (source !== undefined && isUndone([source], origin)) return folded(skipped("DUPLICATE"));
  const into = firstFound(state, input, origin);
  const known = into ?? source;
  if (into === undefined || source === undefined) {
    const added = [...input, ...before].filter((one) => known !== undefined && isLacking(known, one));
    if (isFull(known, added.length, origin)) return folded(full(origin));
  }
  if (into === undefined && source !== undefined) return rename(state, source, input, origin);
  if (source !== undefined && into !== undefined && !mayBecomeOne(source, into, origin)) return folded(tooLarge());
  const found = resolveContact(state, contact, origin);
  if (found.kind !== "contact") return folded(unresolved(found, "/contact"));
  const { contact: destination, identityChanged, warnings } = found;
  // The source may be the destination itself, or have become one with it by what the record says of the destination.
  const isOther = source !== undefined && source.mergedInto === undefined && source.number !== destination.number;
  if (isOther && !origin.account.settings.features.merge) {
    return folded(rejected("MERGE_CONFLICT", "/previous", "Merging is disabled for this account."), found.changeEvents);
  }
  if (isOther && stayApart(source, destination, origin)) return leftApart(found);
  const pair = { source, destination, attributes: "destinationContact" } as const;
  const merged = isOther ? mergeExplicitly(state, { ...pair, source }, origin) : [];
  const [first] = before;
  const attached = source === undefined && first !== undefined && attach(state, destination, first, origin);
  const events = [...found.changeEvents, ...merged, ...(attached || [])];
  if (isOther || attached !== false || identityChanged) return folded(applied(destination.number, warnings), events);
  return folded(skipped("UNCHANGED", warnings), events);
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
function leftApart(found: Extract<Resolution, { readonly kind: "contact" }>): Folded {
  const warnings = new Set([...found.warnings, "MERGE_CONFLICT" as const]);
  const outcome = found.identityChanged ? applied(found.contact.number, warnings) : skipped("UNCHANGED", warnings);
  return folded(outcome, found.changeEvents);
}

function identifiersOf(reference: shapes.ContactReference, origin: Origin): readonly Identifier[] {
  const { given: provided } = readIdentifiers(reference, origin);
  return provided.kind === "ok" ? provided.identifiers : [];
}

function firstFound(state: FoldState, identifiers: readonly Identifier[], { version }: Origin): Contact | undefined {
  for (const identifier of identifiers) {
    const contact = state.find(identifier, version);
    if (contact !== undefined) return contact;
  }
  return undefined;
}

/** Renames the previous contact, the only one that exists: it is known by the new identifiers from now on, and by its own as before. */
function rename(state: FoldState, contact: Contact, identifiers: readonly Identifier[], origin: Origin): Folded {
  const attachable = identifiers.filter(isAttachable);
  if (attachable.length === 0) return folded(unknownContact("/contact/identifiers"));
  const events: FoldEvent[] = [];
  for (const identifier of attachable) {
    showInstead(state, contact, identifier, origin);
    emitIdentifier(events, contact, identifier, origin);
  }
  return folded(applied(contact.number), events);
}

function emitIdentifier(events: FoldEvent[], contact: Contact, { name, value }: Identifier, { version }: Origin): void {
  memberChanged(events, contact, `identifiers.${name}`, { value, version });
}

/**
 * Nobody has the identifier: it finds the contact from now on, and is shown where the contact shows none of its name.
 * @returns false when the contact has it already.
 */
function attach(state: FoldState, contact: Contact, identifier: Identifier, origin: Origin): FoldEvent[] | false {
  if (!isLacking(contact, identifier)) return false;
  const isVisible = !contact.identifiers.has(identifier.name);
  state.attach(contact, identifier, isVisible);
  const events: FoldEvent[] = [];
  if (isVisible) emitIdentifier(events, contact, identifier, origin);
  return events;
}
