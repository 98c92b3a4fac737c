import { identifierOfChannel, type Written } from "@headwater/contracts";
import { type FoldEvent, memberChanged } from "../fold/foldEvents.ts";
import { canonicalOf } from "./canonicalAddress.ts";
import type { ContactIndex, Origin, Side } from "./contactIndex.ts";
import { takeIdentifier } from "./identifierHistory.ts";
import { membersChanged, membersDisplayed } from "./memberEvents.ts";
import { membersView } from "./membersView.ts";
import { mergeInto } from "./merge.ts";
import { addressOf, type Contact } from "./model.ts";
import type { MembersMoved } from "./moveMembers.ts";
import { channelOf } from "./writeChannel.ts";

/**
 * A merge that a person or program asked for: the destination survives whatever was created first, different values of
 * one name do not stop it, and one side's attributes win. The source's identifiers go on to find the contact.
 */
export function mergeExplicitly(
  index: ContactIndex,
  contacts: { readonly source: Contact; readonly destination: Contact; readonly attributes: Side },
  origin: Origin,
): FoldEvent[] {
  const { source, destination, attributes } = contacts;
  const winner = attributes === "sourceContact" ? source : destination;
  const wins: readonly (readonly [string, Written])[] = [...winner.attributes];
  const events = mergeInto(index, { survivor: destination, dead: source, explicit: attributes }, origin);
  for (const [name, { value }] of wins) {
    const written = { value, version: origin.version };
    destination.attributes.set(name, written);
    memberChanged(events, destination, `attributes.${name}`, written);
  }
  return events;
}

/**
 * Moves channels with their subscription, the identifiers that find them and the attributes that spell these into a new contact. The
 * address that is left is a removal: an older write of it, sent again, does not bring it back.
 */
export function splitChannels(
  index: ContactIndex,
  contact: Contact,
  channelNames: readonly string[],
  origin: Origin,
): MembersMoved {
  const created = index.create(origin);
  created.apart = { since: origin.version };
  contact.lost = true;
  const view = membersView(contact, origin.version);
  for (const channelName of channelNames) moveChannel(index, { contact, made: created, channelName, origin });
  const changeEvents = membersChanged(contact, view, origin.version);
  membersDisplayed(changeEvents, created, origin.version);
  return { contact: created, changeEvents };
}

interface Move {
  readonly contact: Contact;
  readonly made: Contact;
  readonly channelName: string;
  readonly origin: Origin;
}

function moveChannel(index: ContactIndex, { contact, made: built, channelName, origin }: Move): void {
  const name = identifierOfChannel(channelName);
  const address = addressOf(contact, channelName, name);
  const state = contact.channels.get(channelName) ?? {};
  const moved = { value: address ?? null, version: origin.version };
  Object.assign(channelOf(built, channelName), state, address === undefined ? {} : { address: moved });
  contact.channels.set(channelName, { address: { value: null, version: origin.version } });
  moveAttribute({ contact, made: built, name, origin });
  for (const value of [...(contact.identifiers.get(name) ?? [])]) {
    takeIdentifier(index, contact, { name, value }, origin);
    index.attach(built, { name, value }, false);
  }
}

/** An attribute that is an identifier of the channel goes with it; one that cannot be an identifier never was, and stays. */
function moveAttribute({
  contact,
  made: result,
  name,
  origin,
}: Omit<Move, "channelName"> & { readonly name: string }): void {
  const value = contact.attributes.get(name)?.value ?? null;
  const canonical = canonicalOf(name, value, origin);
  if (canonical === undefined || contact.identifiers.get(name)?.includes(canonical) !== true) return;
  const { version } = origin;
  result.attributes.set(name, { value, version });
  contact.attributes.set(name, { value: null, version });
}
