import { type Account, canonicalName, importedChannelMembers } from "@headwater/contracts";

/** The member of a contact that a column says. */
export type Target =
  | { readonly kind: "identifier"; readonly name: string }
  | { readonly kind: "channel"; readonly channel: string; readonly member: ChannelMember }
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "list"; readonly name: string }
  /** Columns that exports write and nobody can set, and those mapped to nothing. */
  | { readonly kind: "ignored" };

export type ChannelMember = (typeof importedChannelMembers)[number];

const ATTRIBUTES = "attributes.";
const LISTS = "lists.";
const CHANNEL = /^channels\.(.+)\.(address|subscribeStatus|subscribedAt|unsubscribedAt)$/;
const IDENTIFIERS = "identifiers.";
/** Columns of exports: `lists` is the array beside a column for each list. */
const NEVER_WRITTEN = /^(createdAt|lastModified|listJoinDate(\..*)?|lists|channels\..+\.valid)$/;

export interface Known {
  readonly account: Account;
  /** Names and ids of the account's lists, among the columns' names. */
  readonly lists: ReadonlySet<string>;
  /** Keys of its attributes, among them. */
  readonly attributes: ReadonlySet<string>;
}

/** Finds what a column is by its name: identifiers before channels, lists before attributes. */
export function targetOf(path: string, { account, lists, attributes }: Known): Target {
  // Contacts have identifiers that their account does not list, as intake brought them.
  if (path.startsWith(IDENTIFIERS) && path !== IDENTIFIERS)
    return { kind: "identifier", name: canonicalName(path.slice(IDENTIFIERS.length)) };
  const identifier = canonicalName(path);
  if (account.settings.identifiers.some(({ name }) => name === identifier))
    return { kind: "identifier", name: identifier };
  const channel = channelOf(path);
  if (channel !== undefined) return channel;
  if (path.startsWith(ATTRIBUTES) && path !== ATTRIBUTES)
    return { kind: "attribute", name: path.slice(ATTRIBUTES.length) };
  if (path.startsWith(LISTS) && path !== LISTS) return { kind: "list", name: path.slice(LISTS.length) };
  if (lists.has(path.toLowerCase())) return { kind: "list", name: path };
  if (NEVER_WRITTEN.test(path) && !attributes.has(path)) return { kind: "ignored" };
  return { kind: "attribute", name: path };
}

function channelOf(path: string): Target | undefined {
  const [, channel, named] = CHANNEL.exec(path) ?? [];
  const member = importedChannelMembers.find((one) => one === named);
  if (channel === undefined || member === undefined) return undefined;
  return { kind: "channel", channel, member };
}
