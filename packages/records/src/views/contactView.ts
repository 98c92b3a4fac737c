import {
  type AccountSettings,
  type AttributeRule,
  type AttributeRules,
  castAttribute,
  identifierOfChannel,
  type Json,
  parseTime,
  timeOfVersion,
  toTimestamp,
} from "@headwater/contracts";
import type { AttributeClears } from "../contacts/attributeClears.ts";
import { type ContactRow, showDocument } from "../contacts/contactDocument.ts";
import { type ChannelState, type Contact, isValidChannel, subscribeStatusOf } from "../contacts/model.ts";
import { lastWriteOf, type TimestampName } from "../contacts/subscriptionTimestamps.ts";

/** A contact's own members as answers show them; lists are added by the route. */
export interface ContactView {
  readonly cID: string;
  /** The shown value of each name. */
  readonly identifiers: Readonly<Record<string, string>>;
  readonly channels: Readonly<Record<string, ChannelView>>;
  readonly attributes: Readonly<Record<string, Json>>;
  readonly createdAt: string;
  readonly lastModified: string;
}

interface ChannelView {
  readonly address?: string;
  readonly subscribeStatus: string;
  readonly subscribedAt?: string;
  readonly unsubscribedAt?: string;
  /** False while the address bounced for good or cannot be one of the channel; absent otherwise. */
  readonly valid?: false;
}

/** Parts of the account that decide how its contacts are shown. */
export interface VisibleBy {
  readonly settings: Pick<AccountSettings, "timezone">;
  /** Rules declared for attributes: a value that cannot be read by them is not shown. */
  readonly rules?: AttributeRules | undefined;
}

export function viewContact(contact: Contact, by: VisibleBy): ContactView {
  const identifiers: Record<string, string> = {};
  contact.identifiers.forEach(([displayed], name) => {
    if (displayed !== undefined) put(identifiers, name, displayed);
  });
  return assemble(contact, { identifiers, attributes: contact.attributes, channels: contact.channels }, by);
}

/** A row as it is stored, of which nothing is made but the answer. */
export type RowView = Pick<ContactRow, "cid" | "createdAt" | "modifiedAt" | "doc">;

/** Returns what `viewContact` does, for a row. @param clears of the account. */
export function viewRow(row: RowView, clears: AttributeClears, by: VisibleBy): ContactView {
  const document = showDocument(row.doc, clears);
  const identifiers: Record<string, string> = {};
  for (let at = 0; at < document.identifiers.length; at += 2) {
    const [name = "", value = ""] = [document.identifiers[at], document.identifiers[at + 1]];
    if (!Object.hasOwn(identifiers, name)) put(identifiers, name, value);
  }
  return assemble(row, { identifiers, attributes: document.attributes, channels: document.channels }, by);
}

interface Parts {
  readonly identifiers: Readonly<Record<string, string>>;
  readonly attributes: { forEach(visit: (name: string, value: Json) => void): void };
  readonly channels: ReadonlyMap<string, ChannelState>;
}

function assemble(of: Pick<RowView, "cid" | "createdAt" | "modifiedAt">, parts: Parts, by: VisibleBy): ContactView {
  const { rules, settings } = by;
  const attributes: Record<string, Json> = {};
  parts.attributes.forEach((name, value) => {
    const visible = rules === undefined ? value : valueView(rules.get(name), value, settings.timezone);
    if (visible !== null) put(attributes, name, visible);
  });
  return {
    cID: of.cid,
    identifiers: parts.identifiers,
    channels: viewChannels(parts, settings.timezone),
    attributes,
    createdAt: toTimestamp(of.createdAt),
    lastModified: toTimestamp(of.modifiedAt),
  };
}

/** Pages have thousands of members, and lists of pairs on the way cost as much as the answer. Names are arbitrary (`__proto__`). */
export function put<Value>(record: Record<string, Value>, name: string, value: Value): void {
  if (name !== "__proto__") record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A value that was there before its attribute was declared is read as the type, or missing. */
function valueView(rule: AttributeRule | undefined, value: Json, timezone: string): Json {
  if (rule === undefined || value === null) return value;
  const cast = castAttribute({ ...rule, validators: undefined }, value, timezone);
  return cast.kind === "value" ? cast.value : null;
}

/** Channels whose address is known under a name of its own, and that name. */
const defaultChannels = ["email", "sms"].map((channel) => ({ channel, identifier: identifierOfChannel(channel) }));
const CHANNEL_ADDRESS = /^channels\.(.+)\.address$/;

/** Channels whose address is known as an identifier, and those that were written. */
function viewChannels({ identifiers, channels }: Parts, timezone: string): Record<string, ChannelView> {
  const views: Record<string, ChannelView> = {};
  const show = (name: string) => {
    if (Object.hasOwn(views, name)) return;
    const state = channels.get(name) ?? {};
    const view = viewChannel(name, { state, address: addressOf(state, name, identifiers) }, timezone);
    if (isVisible(view)) put(views, name, view);
  };
  for (const { channel, identifier } of defaultChannels) if (Object.hasOwn(identifiers, identifier)) show(channel);
  for (const name of channels.keys()) show(name);
  for (const identifier in identifiers) {
    const channel = identifier.startsWith("channels.") ? CHANNEL_ADDRESS.exec(identifier)?.[1] : undefined;
    if (channel !== undefined) show(channel);
  }
  return views;
}

/** Returns the address as it was written for the channel, else as it is known as an identifier. */
function addressOf({ address }: ChannelState, name: string, identifiers: Parts["identifiers"]): string | undefined {
  if (address === undefined) return identifiers[identifierOfChannel(name)];
  return typeof address.value === "string" ? address.value : undefined;
}

function viewChannel(
  name: string,
  { state, address }: { readonly state: ChannelState; readonly address: string | undefined },
  timezone: string,
): ChannelView {
  const subscribedAt = instantOf(state, "subscribedAt", timezone);
  const unsubscribedAt = instantOf(state, "unsubscribedAt", timezone);
  const subscribeStatus = subscribeStatusOf(state);
  const view: Mutable<ChannelView> = address === undefined ? { subscribeStatus } : { address, subscribeStatus };
  if (subscribedAt !== undefined) view.subscribedAt = subscribedAt;
  if (unsubscribedAt !== undefined) view.unsubscribedAt = unsubscribedAt;
  if (!isValidChannel(name, state, address)) view.valid = false;
  return view;
}

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/**
 * Returns what `channelMoment` does; the value given may be any text that is a time in the account's timezone. Pages have thousands of
 * them.
 */
function instantOf(state: ChannelState, name: TimestampName, timezone: string): string | undefined {
  const input = state[name];
  const ms = typeof input?.value === "string" ? parseTime(input.value, timezone) : undefined;
  if (ms !== undefined) return toTimestamp(ms);
  const version = input?.version ?? lastWriteOf(state, name);
  return version === undefined ? undefined : toTimestamp(timeOfVersion(version));
}

/** A channel of which nothing is known but its name says nothing. */
function isVisible({ address, subscribeStatus, subscribedAt, unsubscribedAt }: ChannelView): boolean {
  const isKnown = address !== undefined || subscribedAt !== undefined || unsubscribedAt !== undefined;
  return isKnown || subscribeStatus !== "none";
}
