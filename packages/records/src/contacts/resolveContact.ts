import {
  addressedChannel,
  type ContactWrite,
  canonicalName,
  findsByHash,
  type Identifier,
  isAttachable,
  isHashedName,
  isNotAnAddress,
  isPlaceholder,
  type WarningCode,
} from "@headwater/contracts";
import { type FoldEvent, memberChanged } from "../fold/foldEvents.ts";
import { isUndone } from "./apart.ts";
import { castAllowed, refuseHalfLocations } from "./castAllowed.ts";
import { type CastAttributes, castAttributes, missingAttributes } from "./castAttributes.ts";
import { boundPassed, fitTogether, type Growth, type Merged } from "./contactBounds.ts";
import type { ContactIndex, Origin } from "./contactIndex.ts";
import { showInstead, visibleAt } from "./identifierHistory.ts";
import { emitIdentifierValidity } from "./identifierValidity.ts";
import { memberPaths } from "./memberPaths.ts";
import { MERGES_PER_RECORD_MAX, mayMerge, mergeInto, survivorOf } from "./merge.ts";
import { type Contact, isValidChannel } from "./model.ts";
import { readIdentifiers } from "./readIdentifiers.ts";
import {
  beyond,
  hashesAreOff,
  invalidIdentifier,
  lacking,
  type Resolution,
  refusedAttributes,
  tooManyContacts,
} from "./resolution.ts";
import { channelOf } from "./writeChannel.ts";
import { writeMembers } from "./writeMembers.ts";
import { emptyTally, type WriteTally } from "./writing.ts";

/**
 * Resolves which contact a record meets, and what it attaches, merges and writes. Identifiers find, attributes write. Source: the table
 * "Which contact, and merging" of the semantics.
 */
export function resolveContact(index: ContactIndex, write: ContactWrite, origin: Origin): Resolution {
  const { given: input, written, writesPlaceholder = false } = origin.read ?? readIdentifiers(write, origin);
  if (input.kind === "invalid") return invalidIdentifier(input.name);
  if (input.identifiers.length === 0 && Object.keys(write.identifiers).some(isHashedName)) return hashesAreOff();
  const read = write.attributes && castAttributes(write.attributes, origin.account);
  const { identifiers, former = [], placeholders = [] } = input;
  const hits = findAll(index, former.length === 0 ? identifiers : [...identifiers, ...former], origin);
  const allowed = read?.kind === "refused" ? castAllowed(write, read, { contact: hits[0], origin }) : read;
  if (allowed?.kind === "refused") return refusedAttributes(allowed);
  const cast = allowed?.kind === "allowed" ? allowed.cast : allowed;
  const half = cast && refuseHalfLocations(cast, write, hits[0]);
  if (half !== undefined) return refusedAttributes(half);
  if (hits.length > MERGES_PER_RECORD_MAX || claimsTooMany(index, hits, { written, origin })) return tooManyContacts();
  const step: Step = {
    origin,
    given: identifiers,
    former,
    placeholders,
    written,
    writesPlaceholder,
    cast,
    restricted: allowed?.kind === "allowed" ? allowed.restricted : 0,
    warnings: undefined,
    conflicts: undefined,
    created: false,
    identityChanged: false,
    merged: { characters: 0 },
    changeEvents: [],
  };
  const first = hits[0];
  if (first === undefined) return createOrMiss(index, write, step);
  if (isUndone(hits, origin)) return { kind: "undone" };
  const passed = boundPassed(first, growthOf(write, step, write.canBeUpdated === true), origin);
  if (passed !== undefined) return beyond(passed);
  const contact = hits.length === 1 ? first : mergeHits(index, hits, write, step);
  if (step.warnings === undefined) attachMissing(index, contact, step);
  return update(index, contact, write, step);
}

function createOrMiss(index: ContactIndex, write: ContactWrite, step: Step): Resolution {
  if (write.canBeCreated !== true || !step.given.some(isAttachable)) return { kind: "unknown" };
  const missing = missingAttributes(write.attributes, step.origin.account.attributes);
  if (missing.length > 0) return lacking(missing);
  const growth = growthOf(write, step, true);
  const passed = boundPassed(undefined, growth, step.origin);
  if (passed !== undefined) return beyond(passed);
  const contact = index.create(step.origin);
  step.created = true;
  step.identityChanged = true;
  attachMissing(index, contact, step);
  return update(index, contact, write, step);
}

/** Findings of one record's steps so far. */
interface Step {
  readonly origin: Origin;
  readonly given: readonly Identifier[];
  /** Forms that these had before. */
  readonly former: readonly Identifier[];
  /** Texts that it gives in place of addresses. */
  readonly placeholders: readonly Identifier[];
  /** Identifiers that its attributes write. */
  readonly written: readonly Identifier[];
  readonly writesPlaceholder: boolean;
  /** Its attributes in the types of their definitions. */
  readonly cast: CastAttributes | undefined;
  /** Number of its attributes that were not read, because they are restricted and have a value. */
  readonly restricted: number;
  warnings: Set<WarningCode> | undefined;
  /** Names of identifiers that contacts keep with which no merge was made. */
  conflicts: Set<string> | undefined;
  created: boolean;
  identityChanged: boolean;
  /** Contacts it has merged so far. */
  readonly merged: Merged;
  readonly changeEvents: FoldEvent[];
}

function growthOf({ attributes }: ContactWrite, step: Step, isWritten: boolean): Growth {
  const { given: provided, placeholders, cast } = step;
  const identifiers = placeholders.length === 0 ? provided : [...provided, ...placeholders];
  if (cast === undefined || !isWritten) return { identifiers };
  return { identifiers, attributes: cast.attributes, geoEdits: cast.geoEdits, channels: attributes?.channels };
}

function update(index: ContactIndex, found: Contact, write: ContactWrite, step: Step): Resolution {
  const { origin, created } = step;
  const allowed = created || write.canBeUpdated === true;
  const { cast } = step;
  if (cast === undefined || !allowed) {
    const updateNotAllowed = cast !== undefined;
    if (updateNotAllowed) warn(step, "UPDATE_NOT_ALLOWED");
    warnOfHashes(index, step);
    return resolved(found, step, { tally: emptyTally(), updateNotAllowed });
  }
  const { contact, held } = claimIdentifiers(index, found, write, step);
  const tally = writeMembers(
    index,
    contact,
    {
      attributes: cast.attributes,
      channels: write.attributes?.channels,
      geoEdits: cast.geoEdits,
      forceSubscribe: write.forceSubscribe === true,
      restricted: restrictedOf(write, created),
      given: step.given,
      held,
      changeEvents: step.changeEvents,
    },
    origin,
  );
  tally.restricted += step.restricted;
  if (tally.statusKept > 0) warn(step, "STATUS_KEPT");
  warnOfHashes(index, step);
  return resolved(contact, step, { tally, updateNotAllowed: false });
}

/** A hash of nobody is no identity that the contact has now: what its sender meant by it is left undone. */
function warnOfHashes(index: ContactIndex, step: Step): void {
  const { account, version, foundAt = version } = step.origin;
  if (!findsByHash(account.settings)) return;
  const isUnknown = (one: Identifier) => isHashedName(one.name) && index.find(one, foundAt) === undefined;
  if (step.given.some(isUnknown)) warn(step, "CONTACTS_CONTACT_NOT_FOUND");
}

function resolved(
  contact: Contact,
  step: Step,
  { tally, updateNotAllowed }: { readonly tally: WriteTally; readonly updateNotAllowed: boolean },
): Resolution {
  const { given: received, placeholders, written, writesPlaceholder } = step;
  const writesNoAddress = !updateNotAllowed && (writesPlaceholder || written.some(isNotAnAddress));
  if (placeholders.some(isNotAnAddress) || writesNoAddress || received.some(isNotAnAddress)) {
    warn(step, "NOT_AN_ADDRESS");
  }
  const { identityChanged, created, warnings, conflicts, changeEvents } = step;
  return {
    kind: "contact",
    contact,
    identityChanged,
    created,
    tally,
    updateNotAllowed,
    warnings: warnings ?? noWarnings,
    conflicts: conflicts ?? noNames,
    changeEvents,
  };
}

const noWarnings: ReadonlySet<WarningCode> = new Set();

/** Most records have none: their set is made with the first. */
function warn(step: Step, code: WarningCode): void {
  step.warnings ??= new Set();
  step.warnings.add(code);
}

function conflict(step: Step, code: WarningCode, by: readonly Identifier[]): void {
  warn(step, code);
  step.conflicts ??= new Set();
  for (const { name } of by) step.conflicts.add(name);
}

const noNames: ReadonlySet<string> = new Set();

function restrictedOf({ restrictedUpdateAttrKeys }: ContactWrite, created: boolean): ReadonlySet<string> {
  return created || restrictedUpdateAttrKeys === undefined ? noNames : new Set(restrictedUpdateAttrKeys);
}

/** Merges the hits with the first, pair by pair; what may not be merged is left, and the record applies to the first. */
function mergeHits(index: ContactIndex, hits: readonly Contact[], write: ContactWrite, step: Step): Contact {
  const [first, ...others] = hits;
  let contact = first;
  for (const other of others) {
    if (contact === undefined) break;
    const { version, foundAt = version } = step.origin;
    const by = step.given.filter((identifier) => index.find(identifier, foundAt) === other);
    contact = mergePair(index, contact, other, { write, step, by, unmerged: "MERGE_CONFLICT" });
  }
  if (contact === undefined) throw new Error("mergeHits needs at least one contact");
  return contact;
}

interface MergeAsked {
  readonly write: ContactWrite;
  readonly step: Step;
  /** Identifiers of the record by which it meets the second of the two. */
  readonly by: readonly Identifier[];
  /** Warning where a merge is wanted and the two may not become one. */
  readonly unmerged: WarningCode;
}

function mergePair(index: ContactIndex, left: Contact, right: Contact, asked: MergeAsked): Contact {
  const { write, step, by, unmerged } = asked;
  const wanted = write.mergeOptions?.mergeAllowed === true && step.origin.account.settings.features.merge;
  if (!wanted) {
    conflict(step, "IDENTITY_CONFLICT", by);
    return left;
  }
  const mergeable = new Set(write.mergeOptions?.mergeableSecondaryKeys?.map(canonicalName));
  const { origin, merged } = step;
  if (!mayMerge(left, right, mergeable, origin) || !fitTogether(left, right, origin.account.settings, merged)) {
    conflict(step, unmerged, by);
    return left;
  }
  const survivor = survivorOf(left, right);
  step.identityChanged = true;
  step.changeEvents.push(...mergeInto(index, { survivor, dead: survivor === left ? right : left }, step.origin));
  return survivor;
}

/**
 * An attribute that is an identifier may belong to another contact: merged when wanted and allowed, else the member is left. So is one
 * of a record that comes again and whose value belonged, in its time, to a contact that is one with this one since.
 */
function claimIdentifiers(index: ContactIndex, found: Contact, write: ContactWrite, step: Step) {
  let held: Set<string> | undefined;
  let contact = found;
  for (const identifier of step.written) {
    const owner = index.find(identifier, step.origin.version);
    if (owner === undefined) continue;
    if (owner.number === contact.number) {
      if (!wasTheirs(index, contact, identifier, step)) held = new Set(held).add(identifier.name);
      continue;
    }
    const merged = mergePair(index, contact, owner, {
      write,
      step,
      by: [identifier],
      unmerged: "IDENTITY_CONFLICT",
    });
    if (merged.number !== index.find(identifier, step.origin.version)?.number) {
      held ??= new Set();
      held.add(identifier.name);
    }
    contact = merged;
  }
  return { contact, held: held ?? noNames };
}

/** Returns whether the record met this very contact when it came first, and the identifier was its own. */
function wasTheirs(index: ContactIndex, { number }: Contact, identifier: Identifier, { origin, given }: Step): boolean {
  const holderOf = (one: Identifier) => index.formerHolder(one, origin.version) ?? number;
  if (holderOf(identifier) !== number) return false;
  return given.some((own) => holderOf(own) === number && index.owner(own, origin.version) === number);
}

/** Names the contact does not have are attached; a name it has with another value is left, and so is one that it had then. */
function attachMissing(index: ContactIndex, contact: Contact, step: Step): void {
  const paths = memberPaths(step.origin.account.settings);
  for (const identifier of step.given) {
    const { name, value } = identifier;
    if (!isAttachable(identifier)) continue;
    const { version } = step.origin;
    const before = visibleAt(contact, name, version);
    if (before === undefined) index.attach(contact, identifier, true);
    else if (isFormer(step, name, before)) showInstead(index, contact, identifier, step.origin);
    else continue;
    memberChanged(step.changeEvents, contact, paths.identifier(name), { value, version });
    emitIdentifierValidity(step.changeEvents, contact, { name, before, paths, version });
    replacePlaceholder(contact, identifier, step);
    step.identityChanged = true;
  }
  for (const placeholder of step.placeholders) keepPlaceholder(index, contact, placeholder, step);
}

/** Shows a text that stands in place of an address as the channel's address, which is not valid, where the contact has none. */
function keepPlaceholder(index: ContactIndex, contact: Contact, { name, value }: Identifier, step: Step): void {
  const channel = addressedChannel(name);
  if (channel === undefined || visibleAt(contact, name, step.origin.version) !== undefined) return;
  if (contact.channels.get(channel)?.address !== undefined) return;
  showAddress(contact, channel, value, step);
  index.touched(contact);
  step.identityChanged = true;
}

/** Lets the channel have an address that is attached, where a text stands in its place. */
function replacePlaceholder(contact: Contact, { name, value }: Identifier, step: Step): void {
  const channel = addressedChannel(name);
  const known = channel === undefined ? undefined : contact.channels.get(channel)?.address;
  if (channel === undefined || typeof known?.value !== "string" || known.version > step.origin.version) return;
  if (isPlaceholder({ name, value: known.value })) showAddress(contact, channel, value, step);
}

function showAddress(contact: Contact, channel: string, value: string, { origin, changeEvents }: Step): void {
  const { account, version } = origin;
  const state = channelOf(contact, channel);
  const paths = memberPaths(account.settings).channel(channel);
  const before = state.address?.value;
  const wasValid = isValidChannel(channel, state, typeof before === "string" ? before : undefined);
  state.address = { value, version };
  memberChanged(changeEvents, contact, paths.address, state.address);
  const isValid = isValidChannel(channel, state, value);
  if (isValid !== wasValid) memberChanged(changeEvents, contact, paths.valid, { value: isValid, version });
}

/** Returns whether the contact shows a value of the record in the form that it had before: from now on the canonical one is shown. */
function isFormer({ former }: Step, name: string, view: string): boolean {
  return former.some((one) => one.name === name && one.value === view);
}

/** The contacts that the identifiers find, in their order and each once. */
function findAll(index: ContactIndex, identifiers: readonly Identifier[], { version, foundAt = version }: Origin) {
  const hits: Contact[] = [];
  for (const identifier of identifiers) {
    const contact = index.find(identifier, foundAt);
    if (contact !== undefined && !hits.includes(contact)) hits.push(contact);
  }
  return hits;
}

/** Attributes may write identifiers of other contacts, any number of channels' addresses among them: these merge, too. */
function claimsTooMany(
  index: ContactIndex,
  hits: readonly Contact[],
  { written, origin }: Pick<Step, "written" | "origin">,
): boolean {
  if (hits.length + written.length <= MERGES_PER_RECORD_MAX) return false;
  return new Set([...hits, ...findAll(index, written, origin)]).size > MERGES_PER_RECORD_MAX;
}
