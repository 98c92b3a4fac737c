import {
  type ChannelWrite,
  canonicalIdentifier,
  identifierOfChannel,
  type Json,
  parseTime,
  type shapes,
} from "@headwater/contracts";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import type { Contact } from "@headwater/records/contacts/model";
import { identifiersTouched } from "@headwater/records/contacts/readIdentifiers";
import { subscriptionTimestamp, type TimestampName } from "@headwater/records/contacts/subscriptionTimestamps";
import type { FoldState } from "@headwater/records/fold/foldState";
import { knownContact } from "./knownContact.ts";

/**
 * Reads the channels of a contact as it shows them, so that one that is imported as it was exported is unchanged: a time that spells the
 * stored one is that one, and an address that is shown because an identifier has it is not written.
 */
export function withStoredChannels(state: FoldState, write: shapes.ContactWrite, origin: Origin): shapes.ContactWrite {
  const channels = write.attributes?.channels;
  const known = channels && knownContact(state, origin);
  if (channels === undefined || known === undefined || meetsAnother(state, known, origin)) return write;
  const stored = Object.entries(channels).flatMap(([name, input]): [string, ChannelWrite][] => {
    const channel = storedChannel(known, { name, channel: input }, origin);
    return Object.keys(channel).length > 0 ? [[name, channel]] : [];
  });
  return { ...write, attributes: { ...write.attributes, channels: Object.fromEntries(stored) } };
}

/** Returns whether the record may merge the contact with another one, whose channels it would then show. */
function meetsAnother(state: FoldState, { number }: Contact, { read, version }: Origin): boolean {
  const touched = read === undefined ? [] : identifiersTouched(read);
  return touched.some((identifier) => (state.find(identifier, version)?.number ?? number) !== number);
}

interface NamedChannel {
  readonly name: string;
  readonly channel: ChannelWrite;
}

function storedChannel(known: Contact, { name, channel }: NamedChannel, origin: Origin): ChannelWrite {
  const { address, subscribedAt, unsubscribedAt, ...others } = channel;
  const { timezone } = origin.account.settings;
  const state = known.channels.get(name) ?? {};
  const timeOf = (member: TimestampName, provided: string) =>
    storedTime(subscriptionTimestamp(state, member)?.value, provided, timezone);
  return {
    ...others,
    ...(typeof address === "string" && !isAttached(known, { name, address }, origin) && { address }),
    ...(subscribedAt !== undefined && { subscribedAt: timeOf("subscribedAt", subscribedAt) }),
    ...(unsubscribedAt !== undefined && { unsubscribedAt: timeOf("unsubscribedAt", unsubscribedAt) }),
  };
}

/** Returns whether the contact shows the address of a channel for which none was written. */
function isAttached(
  { channels, identifiers }: Contact,
  { name, address }: { readonly name: string; readonly address: string },
  { account }: Origin,
): boolean {
  if (channels.get(name)?.address !== undefined) return false;
  const identifier = identifierOfChannel(name);
  const view = identifiers.get(identifier)?.[0];
  return view !== undefined && view === canonicalIdentifier(account.settings, identifier, address);
}

/** Returns the stored text when it says the instant of the given one. */
function storedTime(stored: Json | undefined, received: string, timezone: string): string {
  if (typeof stored !== "string") return received;
  return parseTime(stored, timezone) === parseTime(received, timezone) ? stored : received;
}
