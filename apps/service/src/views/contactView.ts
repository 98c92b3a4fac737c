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
  const identifiers = [...contact.identifiers].flatMap(([name, [shown]]) =>
    shown === undefined ? [] : [[name, shown]],
  );
  const channels = channelNames(contact).map((name) => [name, viewChannel(contact, name, timezone)] as const);
  const attributes = [...contact.attributes].flatMap(([name, { value }]) => {
    const shown = shownValue(rules?.get(name), value, timezone);
    return shown === null ? [] : [[name, shown]];
  });
  return {
    cID: contact.cid,
    identifiers: Object.fromEntries(identifiers),
    channels: Object.fromEntries(channels.filter(([, channel]) => isShown(channel))),
    attributes: Object.fromEntries(attributes),
    createdAt: toTimestamp(contact.createdAt),
    lastModified: toTimestamp(contact.modifiedAt),
  };
}

/** A value that was there before its attribute was declared is read as the type, or missing. */
function shownValue(rule: AttributeRule | undefined, value: Json, timezone: string): Json {
  if (rule === undefined || value === null) return value;
  const cast = castAttribute({ ...rule, validators: undefined }, value, timezone);
  return cast.kind === "value" ? cast.value : null;
}

/** Channels that were written, and those whose address is known as an identifier. */
function channelNames(contact: Contact): string[] {
  const named = [...contact.identifiers.keys()].flatMap((name) => /^channels\.(.+)\.address$/.exec(name)?.[1] ?? []);
  const usual = ["email", "sms"].filter((channel) => contact.identifiers.has(identifierOfChannel(channel)));
  return [...new Set([...usual, ...contact.channels.keys(), ...named])];
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
  return [address, subscribedAt, unsubscribedAt].some((value) => value !== undefined) || subscribeStatus !== "none";
}
