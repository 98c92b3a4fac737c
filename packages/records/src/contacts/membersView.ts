import { identifierOfChannel, type Version } from "@headwater/contracts";
import { Members } from "../members/members.ts";
import {
  addressOf,
  type ChannelState,
  type Contact,
  isValidChannel,
  statusVersionOf,
  subscribeStatusOf,
} from "./model.ts";
import { subscriptionTimestamp, timestampNames } from "./subscriptionTimestamps.ts";

/**
 * Everything a contact shows, by path as change records name it, with the version that wrote it. Identifiers have no version
 * of their own: they are given `version`. Removed members are left out.
 */
export function membersView(contact: Contact, version: Version): Members {
  const members = new Members();
  for (const [name, [view]] of contact.identifiers) {
    if (view !== undefined) members.set(`identifiers.${name}`, { value: view, version });
  }
  for (const [name, written] of contact.attributes) {
    if (written.value !== null) members.set(`attributes.${name}`, written);
  }
  for (const [name, channel] of contact.channels) showChannel(members, `channels.${name}`, channel);
  for (const name of addressedChannels(contact)) showValid(members, contact, { name, version });
  return members;
}

function showChannel(members: Members, path: string, channel: ChannelState): void {
  const { address } = channel;
  if (address !== undefined && address.value !== null) members.set(`${path}.address`, address);
  for (const name of timestampNames) {
    const timestamp = subscriptionTimestamp(channel, name);
    if (timestamp !== undefined) members.set(`${path}.${name}`, timestamp);
  }
  const status = subscribeStatusOf(channel);
  const version = statusVersionOf(channel);
  if (status !== "none" && version !== undefined) members.set(`${path}.subscribeStatus`, { value: status, version });
}

function showValid(
  members: Members,
  contact: Contact,
  { name, version }: { readonly name: string; readonly version: Version },
): void {
  const channel = contact.channels.get(name) ?? {};
  const address = addressOf(contact, name, identifierOfChannel(name));
  if (isValidChannel(name, channel, address)) return;
  const cause = channel.bounced?.value === address ? channel.bounced : channel.address;
  members.set(`channels.${name}.valid`, { value: false, version: cause?.version ?? version });
}

/** Names of the channels of which a contact has an address, as written or as an identifier. */
export function addressedChannels(contact: Contact): string[] {
  const names = [...contact.identifiers.keys()].flatMap((name) => /^channels\.(.+)\.address$/.exec(name)?.[1] ?? []);
  const fallback = ["email", "sms"].filter((channel) => contact.identifiers.has(identifierOfChannel(channel)));
  const written = [...contact.channels].flatMap(([name, { address }]) =>
    typeof address?.value === "string" ? [name] : [],
  );
  return [...new Set([...fallback, ...written, ...names])];
}
