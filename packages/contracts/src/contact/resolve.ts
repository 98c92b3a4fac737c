import type { RejectionCode, WarningCode } from "../errorCodes.ts";
import {
  canonicalName,
  type Identifier,
  type IdentifiersResult,
  identifierOfChannel,
  identifierRules,
  identifiersInOrder,
} from "../identifiers.ts";
import type { ContactWrite } from "../shapes.ts";
import type { ContactIndex, Origin } from "./contactIndex.ts";
import { MERGES_PER_RECORD_MAX, mayMerge, mergeInto, survivorOf } from "./merge.ts";
import type { Contact } from "./model.ts";
import { canonicalOf, emptyTally, type WriteTally, writeMembers } from "./write.ts";

export type Resolution =
  | {
      readonly kind: "contact";
      readonly contact: Contact;
      /** Something of how the contact is known changed: it was created, an identifier attached, contacts merged. */
      readonly identityChanged: boolean;
      readonly tally: WriteTally;
      readonly updateNotAllowed: boolean;
      readonly warnings: Set<WarningCode>;
    }
  | { readonly kind: "unknown" }
  | { readonly kind: "rejected"; readonly code: RejectionCode; readonly path: string; readonly message: string };

/** Names of attributes an account with `strictAttributes` knows. */
export type KnownAttributes = ReadonlySet<string>;

/**
 * Which contact a record meets, what it attaches, merges and writes. Identifiers find, attributes write.
 * Source: the table "Which contact, and merging" of the semantics.
 */
export function resolveContact(
  index: ContactIndex,
  write: ContactWrite,
  origin: Origin,
  known: KnownAttributes,
): Resolution {
  const { given } = readIdentifiers(write, origin);
  if (given.kind === "invalid") return invalidIdentifier(given.name);
  const refused = refuseUnknownAttributes(write, origin, known);
  if (refused !== undefined) return refused;
  const hits = distinct(given.identifiers.map((identifier) => index.find(identifier)));
  if (hits.length > MERGES_PER_RECORD_MAX) return tooManyContacts();
  const first = hits[0];
  if (first === undefined) return createOrMiss(index, write, origin, given.identifiers);
  const step: Step = { origin, warnings: new Set(), created: false, identityChanged: false };
  const contact = hits.length === 1 ? first : mergeHits(index, hits, write, step);
  if (step.warnings.size === 0) attachMissing(index, contact, given.identifiers, step);
  return update(index, contact, write, step);
}

function createOrMiss(
  index: ContactIndex,
  write: ContactWrite,
  origin: Origin,
  identifiers: readonly Identifier[],
): Resolution {
  const attachable = identifiers.filter(({ name }) => name !== "cID");
  if (write.canBeCreated !== true || attachable.length === 0) return { kind: "unknown" };
  const contact = index.create(origin);
  const step: Step = { origin, warnings: new Set(), created: true, identityChanged: true };
  attachMissing(index, contact, attachable, step);
  return update(index, contact, write, step);
}

/** What the steps of one record found out so far. */
interface Step {
  readonly origin: Origin;
  readonly warnings: Set<WarningCode>;
  readonly created: boolean;
  identityChanged: boolean;
}

function update(index: ContactIndex, found: Contact, write: ContactWrite, step: Step): Resolution {
  const { origin, warnings, created } = step;
  const allowed = created || write.canBeUpdated === true;
  if (write.attributes === undefined || !allowed) {
    const updateNotAllowed = write.attributes !== undefined;
    if (updateNotAllowed) warnings.add("UPDATE_NOT_ALLOWED");
    const { identityChanged } = step;
    return { kind: "contact", contact: found, identityChanged, tally: emptyTally(), updateNotAllowed, warnings };
  }
  const { contact, held } = claimIdentifiers(index, found, write, step);
  const tally = writeMembers(
    index,
    contact,
    {
      attributes: write.attributes,
      forceSubscribe: write.forceSubscribe === true,
      restricted: new Set(created ? [] : write.restrictedUpdateAttrKeys),
      held,
    },
    origin,
  );
  if (tally.statusKept > 0) warnings.add("STATUS_KEPT");
  const { identityChanged } = step;
  return { kind: "contact", contact, identityChanged, tally, updateNotAllowed: false, warnings };
}

/** Merges the hits with the first, pair by pair; what may not be merged is left, and the record applies to the first. */
function mergeHits(index: ContactIndex, hits: readonly Contact[], write: ContactWrite, step: Step): Contact {
  const [first, ...others] = hits;
  let contact = first;
  for (const other of others) {
    if (contact === undefined) break;
    contact = mergePair(index, contact, other, { write, step });
  }
  if (contact === undefined) throw new Error("mergeHits needs at least one contact");
  return contact;
}

function mergePair(
  index: ContactIndex,
  left: Contact,
  right: Contact,
  { write, step }: { readonly write: ContactWrite; readonly step: Step },
): Contact {
  const wanted = write.mergeOptions?.mergeAllowed === true && step.origin.account.settings.features.merge;
  if (!wanted) {
    step.warnings.add("IDENTITY_CONFLICT");
    return left;
  }
  const mergeable = new Set(write.mergeOptions?.mergeableSecondaryKeys?.map(canonicalName));
  if (!mayMerge(left, right, mergeable, step.origin)) {
    step.warnings.add("MERGE_CONFLICT");
    return left;
  }
  const survivor = survivorOf(left, right);
  step.identityChanged = true;
  mergeInto(index, survivor, survivor === left ? right : left, step.origin);
  return survivor;
}

/**
 * An attribute that is an identifier may belong to another contact: merged when wanted and allowed, else the member
 * is left.
 */
function claimIdentifiers(index: ContactIndex, found: Contact, write: ContactWrite, step: Step) {
  const held = new Set<string>();
  let contact = found;
  for (const identifier of readIdentifiers(write, step.origin).written) {
    const owner = index.find(identifier);
    if (owner === undefined || owner.number === contact.number) continue;
    const merged = mergePair(index, contact, owner, { write, step });
    if (merged.number !== index.find(identifier)?.number) held.add(identifier.name);
    contact = merged;
  }
  return { contact, held };
}

function writtenIdentifiers(write: ContactWrite, origin: Pick<Origin, "account">): Identifier[] {
  const { formats } = identifierRules(origin.account.settings);
  const result: Identifier[] = [];
  const add = (name: string, value: unknown): void => {
    const canonical = canonicalOf(name, value, origin);
    if (canonical !== undefined) result.push({ name, value: canonical });
  };
  for (const [name, value] of Object.entries(write.attributes ?? {})) {
    if (name !== "channels" && name !== "cID" && formats.has(name)) add(name, value);
  }
  for (const [name, channel] of Object.entries(write.attributes?.channels ?? {})) {
    if (channel.address !== undefined) add(identifierOfChannel(name), channel.address);
  }
  return result;
}

/** What was read of a write's identifiers when its look-ups were named, for the fold that follows. */
const readBefore = new WeakMap<ContactWrite, { readonly given: IdentifiersResult; readonly written: Identifier[] }>();

function readIdentifiers(write: ContactWrite, origin: Pick<Origin, "account">) {
  const known = readBefore.get(write);
  if (known !== undefined) return known;
  const given = identifiersInOrder(origin.account.settings, write.identifiers, write.identifiersPriority);
  const written = write.attributes === undefined ? [] : writtenIdentifiers(write, origin);
  const read = { given, written };
  readBefore.set(write, read);
  return read;
}

/** All identifiers a record can meet: those it names and those its attributes would write. */
export function identifiersTouched(write: ContactWrite, origin: Pick<Origin, "account">): readonly Identifier[] {
  const { given, written } = readIdentifiers(write, origin);
  const named = given.kind === "ok" ? given.identifiers : [];
  return written.length === 0 ? named : [...named, ...written];
}

/** Names the contact does not have are attached; a name it has with another value is left. */
function attachMissing(index: ContactIndex, contact: Contact, identifiers: readonly Identifier[], step: Step): void {
  for (const identifier of identifiers) {
    if (identifier.name === "cID" || contact.identifiers.has(identifier.name)) continue;
    index.attach(contact, identifier, true);
    index.changed(contact, `identifiers.${identifier.name}`, identifier.value, step.origin.version);
    step.identityChanged = true;
  }
}

function refuseUnknownAttributes(write: ContactWrite, origin: Origin, known: KnownAttributes): Resolution | undefined {
  if (!origin.account.settings.strictAttributes || write.attributes === undefined) return undefined;
  const unknown = Object.keys(write.attributes).find((name) => name !== "channels" && !known.has(name));
  if (unknown === undefined) return undefined;
  const message = `The attribute ${JSON.stringify(unknown)} has no definition and the account takes declared ones only.`;
  return { kind: "rejected", code: "UNKNOWN_ATTRIBUTE", path: "/attributes", message };
}

function distinct(contacts: readonly (Contact | undefined)[]): Contact[] {
  const seen = new Map<number, Contact>();
  for (const contact of contacts) if (contact !== undefined) seen.set(contact.number, contact);
  return [...seen.values()];
}

function invalidIdentifier(name: string): Resolution {
  const message = `The identifier ${JSON.stringify(name)} has no canonical form.`;
  return { kind: "rejected", code: "VALIDATION_ERROR", path: "/identifiers", message };
}

function tooManyContacts(): Resolution {
  const message = `More than ${MERGES_PER_RECORD_MAX} contacts have an identifier of this record.`;
  return { kind: "rejected", code: "MERGE_CONFLICT", path: "/identifiers", message };
}
