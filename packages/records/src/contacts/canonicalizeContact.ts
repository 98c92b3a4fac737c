import {
  addressedChannel,
  type ContactWrite,
  type Identifier,
  identifierOfChannel,
  isAddressName,
  isNotAnAddress,
  type WarningCode,
} from "@headwater/contracts";
import { type FoldEvent, type FoldResult, memberChanged, noChangeEvents } from "../fold/foldEvents.ts";
import { canonicalOf } from "./canonicalAddress.ts";
import type { ContactIndex, IdentifiersRead, Origin } from "./contactIndex.ts";
import { memberPaths } from "./memberPaths.ts";
import { addressOf, type Contact } from "./model.ts";
import type { Resolution } from "./resolution.ts";
import { resolveContact } from "./resolveContact.ts";

/** Outcome of the rewrite of a stored identifier. */
export interface Canonicalized extends FoldResult {
  /**
   * Kind of the outcome. `rewritten`: its contact shows the canonical form. `merged`: the contact is one with the one that had that form. `apart`: the two may not
   * be merged, and stay as they are. `invalid`: its contact's channel has no address that it could be. `unchanged`: nothing shows another form.
   */
  readonly kind: "rewritten" | "merged" | "apart" | "invalid" | "unchanged";
  /** cIDs of the two that stay apart. */
  readonly contacts?: readonly [string, string];
}

const unchanged: Canonicalized = { kind: "unchanged", changeEvents: noChangeEvents };

/** Returns the canonical form of an address that is stored in another one; undefined for all else. */
export function canonicalFormOf({ name, value }: Identifier, origin: Pick<Origin, "account">): string | undefined {
  const canonical = isAddressName(origin.account.settings, name) ? canonicalOf(name, value, origin) : undefined;
  return canonical === value ? undefined : canonical;
}

/**
 * Rewrites an address that was stored before addresses had one form: its contact shows the canonical one from now on, and is still found by
 * the stored one. Where another contact has the canonical form, both are merged as records merge them. A repeat changes nothing.
 */
export function canonicalizeContact(index: ContactIndex, stored: Identifier, origin: Origin): Canonicalized {
  const canonical = canonicalFormOf(stored, origin);
  if (canonical === undefined && isNotAnAddress(stored)) return invalid(index.find(stored), stored, origin);
  const contact = canonical === undefined ? undefined : index.find(stored);
  if (canonical === undefined || contact === undefined) return unchanged;
  const identifier = { name: stored.name, value: canonical };
  const other = index.find(identifier);
  const isPair = other !== undefined && other.number !== contact.number;
  if (!isPair && contact.identifiers.get(stored.name)?.[0] !== stored.value && !showsOther(contact, identifier, origin))
    return unchanged;
  for (const one of isPair ? [contact, other] : [contact]) rewriteBounces(index, one, identifier, origin);
  const found = resolveContact(index, writeOf(contact, identifier), {
    ...origin,
    read: readOf(contact, { identifier, stored }),
  });
  if (found.kind !== "contact" || isConflict(found.warnings)) return apart(found, contact, other);
  const rewritten = rewriteMembers(index, found.contact, { identifier, stored }, origin);
  return { kind: isPair ? "merged" : "rewritten", changeEvents: [...found.changeEvents, ...rewritten] };
}

/**
 * Emits that the channel of a value that is not an address is invalid: versions that knew no such values emitted nothing. The event has the
 * version of the address, so that a repeat changes nothing.
 */
function invalid(contact: Contact | undefined, { name, value }: Identifier, origin: Origin): Canonicalized {
  const channel = addressedChannel(name);
  if (contact === undefined || channel === undefined || addressOf(contact, channel, name) !== value) return unchanged;
  const { version } = contact.channels.get(channel)?.address ?? contact;
  const changeEvents: FoldEvent[] = [];
  const { valid } = memberPaths(origin.account.settings).channel(channel);
  memberChanged(changeEvents, contact, valid, { value: false, version });
  return { kind: "invalid", changeEvents };
}

interface Rewritten {
  readonly identifier: Identifier;
  readonly stored: Identifier;
}

function readOf(
  { cid }: Contact,
  { identifier, stored }: Rewritten,
  written: readonly Identifier[] = [],
): IdentifiersRead {
  return { given: { kind: "ok", identifiers: [{ name: "cID", value: cid }, identifier], former: [stored] }, written };
}

function writeOf({ cid }: Contact, { name, value }: Identifier, attributes?: ContactWrite["attributes"]): ContactWrite {
  return {
    identifiers: { cID: cid, [name]: value },
    ...(attributes && { attributes }),
    canBeUpdated: true,
    mergeOptions: { mergeAllowed: true },
  };
}

function isConflict(warnings: ReadonlySet<WarningCode>): boolean {
  return warnings.has("MERGE_CONFLICT") || warnings.has("IDENTITY_CONFLICT");
}

function apart(found: Resolution, contact: Contact, other: Contact | undefined): Canonicalized {
  const changeEvents = found.kind === "contact" ? found.changeEvents : noChangeEvents;
  return { kind: "apart", changeEvents, ...(other !== undefined && { contacts: [contact.cid, other.cid] }) };
}

/** Returns whether an attribute or a channel of the contact has the address in another form. */
function showsOther(contact: Contact, identifier: Identifier, origin: Origin): boolean {
  return Object.keys(membersInOtherForm(contact, identifier, origin)).length > 0;
}

/** Returns a write of the members that have the address in another form. */
function membersInOtherForm({ attributes, channels }: Contact, { name, value }: Identifier, origin: Origin) {
  const isOther = (input: unknown) =>
    typeof input === "string" && input !== value && canonicalOf(name, input, origin) === value;
  const named = [...channels].filter(
    ([channel, { address }]) => identifierOfChannel(channel) === name && isOther(address?.value),
  );
  return {
    ...(isOther(attributes.get(name)?.value) && { [name]: value }),
    ...(named.length > 0 && { channels: Object.fromEntries(named.map(([channel]) => [channel, { address: value }])) }),
  };
}

function rewriteMembers(
  index: ContactIndex,
  contact: Contact,
  { identifier, stored }: Rewritten,
  origin: Origin,
): readonly FoldEvent[] {
  const attributes = membersInOtherForm(contact, identifier, origin);
  if (Object.keys(attributes).length === 0) return noChangeEvents;
  const read = readOf(contact, { identifier, stored }, [identifier]);
  const found = resolveContact(index, writeOf(contact, identifier, attributes), { ...origin, read });
  return found.kind === "contact" ? found.changeEvents : noChangeEvents;
}

/** An address that bounced for good stays one in its canonical form. */
function rewriteBounces(index: ContactIndex, contact: Contact, { name, value }: Identifier, origin: Origin): void {
  const channel = contact.channels.get(addressedChannel(name) ?? "");
  const bounced = channel?.bounced;
  if (channel === undefined || typeof bounced?.value !== "string" || bounced.value === value) return;
  if (canonicalOf(name, bounced.value, origin) !== value) return;
  channel.bounced = { ...bounced, value };
  index.touched(contact);
}
