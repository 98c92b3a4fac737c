import { type Identifier, isAddressOf, type Version, type Written } from "@headwater/contracts";
import type { Members } from "../members/members.ts";

/**
 * A channel of a contact. The subscription keeps five versions, so that any order of arrival ends the same: the first and the last
 * unsubscribe, the last forced subscribe, the first plain subscribe and the first time an opt-in was asked for.
 */
export interface ChannelState {
  address?: Written;
  subscribedAt?: Written;
  unsubscribedAt?: Written;
  unsubscribed?: Version;
  /** Absent where the last unsubscribe is the first. */
  firstUnsubscribed?: Version;
  forced?: Version;
  subscribed?: Version;
  pending?: Version;
  /** The address that bounced for good: while the channel has it, it is not valid. */
  bounced?: Written;
  /** Days since 1970 of soft bounces since somebody last opened or clicked, in order. */
  softBounces?: readonly number[];
}

/** A contact was taken out of another: what was written up to then does not bring both together again. */
export interface Apart {
  /** Version of the split. */
  readonly since: Version;
  /** The record whose merge the split undid. */
  readonly undone?: string | undefined;
}

/** A value of an identifier's name that a contact showed once. */
export interface FormerIdentifier {
  readonly name: string;
  readonly value: string;
  /** Version of the write that took it. */
  readonly by: Version;
  /** Records up to this one met the contact with it: not below `by`. */
  readonly until: Version;
}

/** A contact as folds see and change it. Maps and no objects, because names are arbitrary (`constructor`, `__proto__`). */
export interface Contact {
  readonly account: number;
  readonly number: number;
  readonly cid: string;
  createdAt: number;
  modifiedAt: number;
  /** The greatest version that changed it. */
  version: Version;
  /** No less than its document has: an estimate that writes add to and `measure` sets right. Absent when nobody knows. */
  characters?: number | undefined;
  /** Number of the contact it was merged into. */
  mergedInto: number | undefined;
  /** Set on a contact that a split took out of another, and on no other. */
  apart?: Apart | undefined;
  /** A split took something out of it: of what it shows no more, nothing but the history has a version. */
  lost?: true | undefined;
  /** Canonical values by name; the first is the shown one, all of them find the contact. */
  readonly identifiers: Map<string, string[]>;
  /** Values that were taken from it, in order; most contacts have none. */
  identifierHistory?: readonly FormerIdentifier[] | undefined;
  readonly attributes: Members;
  readonly channels: Map<string, ChannelState>;
}

/** Lets the contact have the identifier; `shown` puts it first. */
export function addIdentifier({ identifiers }: Contact, { name, value }: Identifier, view: boolean): void {
  const others = identifiers.get(name)?.filter((other) => other !== value);
  if (others === undefined) identifiers.set(name, [value]);
  else identifiers.set(name, view ? [value, ...others] : [...others, value]);
}

export function dropIdentifier({ identifiers }: Contact, { name, value }: Identifier): void {
  const others = (identifiers.get(name) ?? []).filter((other) => other !== value);
  if (others.length > 0) identifiers.set(name, others);
  else identifiers.delete(name);
}

export type SubscribeStatus = "subscribed" | "unsubscribed" | "none" | "pending";

/**
 * An unsubscribe holds until a later forced subscribe; `none` never takes a subscription away, and an opt-in that is asked for
 * changes only who is neither subscribed nor unsubscribed.
 */
export function subscribeStatusOf(channel: ChannelState): SubscribeStatus {
  const { unsubscribed, forced, subscribed, pending } = channel;
  if (unsubscribed !== undefined && (forced === undefined || unsubscribed > forced)) return "unsubscribed";
  if (forced !== undefined || subscribed !== undefined) return "subscribed";
  return pending === undefined ? "none" : "pending";
}

/** The version that made the status what it is; undefined for `none`. */
export function statusVersionOf(channel: ChannelState): Version | undefined {
  const { unsubscribed, forced, subscribed, pending } = channel;
  switch (subscribeStatusOf(channel)) {
    case "unsubscribed":
      return unsubscribed;
    case "subscribed":
      return forced ?? subscribed;
    case "pending":
      return pending;
    case "none":
      return undefined;
  }
}

/** Returns false for a channel whose address bounced for good or cannot be one of the channel; another address is valid again. */
export function isValidChannel(name: string, { bounced }: ChannelState, address: string | undefined): boolean {
  if (address === undefined) return true;
  return bounced?.value !== address && isAddressOf(name, address);
}

/**
 * The address as written, else the identifier that is attached under the channel's name. Attaching writes no address: an attach and a write
 * in two partitions would end by the order of their commits.
 */
export function addressOf(contact: Contact, channelName: string, identifierName: string): string | undefined {
  const written = contact.channels.get(channelName)?.address;
  if (written !== undefined) return typeof written.value === "string" ? written.value : undefined;
  return contact.identifiers.get(identifierName)?.[0];
}
