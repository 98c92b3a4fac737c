import {
  type AccountSettings,
  type AttributeRule,
  type AttributeRules,
  addressOf,
  type ChannelState,
  type Contact,
  castAttribute,
  identifierOfChannel,
  type Json,
  parseTime,
  subscribeStatusOf,
  timeOfVersion,
  toTimestamp,
  type Written,
} from "@headwater/contracts";

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
}

/** @param rules what is declared of attributes: a value that cannot be read by it is not shown. */
export function viewContact(
  contact: Contact,
  { timezone }: Pick<AccountSettings, "timezone">,
  rules?: AttributeRules,
): ContactView {
  const identifiers: Record<string, string> = {};
  contact.identifiers.forEach(([shown], name) => {
    if (shown !== undefined) put(identifiers, name, shown);
  });
  const channels: Record<string, ChannelView> = {};
  for (const name of channelNames(contact)) {
    const channel = viewChannel(contact, name, timezone);
    if (isShown(channel)) put(channels, name, channel);
  }
  const attributes: Record<string, Json> = {};
  contact.attributes.forEach((name, value) => {
    const shown = rules === undefined ? value : shownValue(rules.get(name), value, timezone);
    if (shown !== null) put(attributes, name, shown);
  });
  return {
    cID: contact.cid,
    identifiers,
    channels,
    attributes,
    createdAt: toTimestamp(contact.createdAt),
    lastModified: toTimestamp(contact.modifiedAt),
  };
}

/** Pages have thousands of members, and lists of pairs on the way cost as much as the answer. Names are arbitrary (`__proto__`). */
function put<Value>(record: Record<string, Value>, name: string, value: Value): void {
  if (name !== "__proto__") record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A value that was there before its attribute was declared is read as the type, or missing. */
function shownValue(rule: AttributeRule | undefined, value: Json, timezone: string): Json {
  if (rule === undefined || value === null) return value;
  const cast = castAttribute({ ...rule, validators: undefined }, value, timezone);
  return cast.kind === "value" ? cast.value : null;
}

/** Channels whose address is known under a name of its own, and that name. */
const usualChannels = ["email", "sms"].map((channel) => [channel, identifierOfChannel(channel)] as const);

/** Channels that were written, and those whose address is known as an identifier. */
function channelNames(contact: Contact): Set<string> {
  const names = new Set<string>();
  for (const [channel, identifier] of usualChannels) if (contact.identifiers.has(identifier)) names.add(channel);
  for (const channel of contact.channels.keys()) names.add(channel);
  for (const identifier of contact.identifiers.keys()) {
    const channel = identifier.startsWith("channels.") ? /^channels\.(.+)\.address$/.exec(identifier)?.[1] : undefined;
    if (channel !== undefined) names.add(channel);
  }
  return names;
}

function viewChannel(contact: Contact, name: string, timezone: string): ChannelView {
  const state: ChannelState = contact.channels.get(name) ?? {};
  const address = addressOf(contact, name, identifierOfChannel(name));
  const subscribedAt = momentOf(state.subscribedAt, state.forced ?? state.subscribed, timezone);
  const unsubscribedAt = momentOf(state.unsubscribedAt, state.unsubscribed, timezone);
  return {
    ...(address !== undefined && { address }),
    subscribeStatus: subscribeStatusOf(state),
    ...(subscribedAt !== undefined && { subscribedAt }),
    ...(unsubscribedAt !== undefined && { unsubscribedAt }),
  };
}

/** The moment that was given, else that of the write. */
function momentOf(given: Written | undefined, version: string | undefined, timezone: string): string | undefined {
  const ms = typeof given?.value === "string" ? parseTime(given.value, timezone) : undefined;
  if (ms !== undefined) return toTimestamp(ms);
  return version === undefined ? undefined : toTimestamp(timeOfVersion(version));
}

/** A channel of which nothing is known but its name says nothing. */
function isShown({ address, subscribeStatus, subscribedAt, unsubscribedAt }: ChannelView): boolean {
  const isKnown = address !== undefined || subscribedAt !== undefined || unsubscribedAt !== undefined;
  return isKnown || subscribeStatus !== "none";
}
