import { type Account, canonicalName, type ImportedChannelMember, readChannelColumn } from "@headwater/contracts";

/** The member of a contact that a column says. */
export type Target =
  | { readonly kind: "identifier"; readonly name: string }
  | { readonly kind: "channel"; readonly channel: string; readonly member: ImportedChannelMember }
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "list"; readonly name: string }
  /** Columns that exports write and nobody can set, and those mapped to nothing. */
  | { readonly kind: "ignored" };

const ATTRIBUTES = "attributes.";
const LISTS = "lists.";
const IDENTIFIERS = "identifiers.";
/** Columns of exports: `lists` is the array next to a column for each list. */
const NEVER_WRITTEN = /^(createdAt|lastModified|listJoinDate(\..*)?|lists|channels\..+\.valid)$/;

export interface Known {
  readonly account: Account;
  /** Names and ids of the account's lists, among the columns' names. */
  readonly lists: ReadonlySet<string>;
  /** Keys of its attributes, among them. */
  readonly attributes: ReadonlySet<string>;
  /** Names before the last dot of columns that are parts of a declared path. */
  readonly places: ReadonlySet<string>;
  /** Identifier that a header stands for. */
  readonly meaningOf: (header: string) => string | undefined;
}

/** Finds what a column is by its name: identifiers before channels, lists before attributes. */
export function targetOf(
  path: string,
  { account, lists, attributes }: Pick<Known, "account" | "lists" | "attributes">,
): Target {
  // Contacts have identifiers that their account does not list, as intake brought them.
  if (path.startsWith(IDENTIFIERS) && path !== IDENTIFIERS)
    return { kind: "identifier", name: canonicalName(path.slice(IDENTIFIERS.length)) };
  const identifier = canonicalName(path);
  if (account.settings.identifiers.some(({ name }) => name === identifier))
    return { kind: "identifier", name: identifier };
  const channel = readChannelColumn(path);
  if (channel !== undefined) return { kind: "channel", ...channel };
  if (path.startsWith(ATTRIBUTES) && path !== ATTRIBUTES)
    return { kind: "attribute", name: path.slice(ATTRIBUTES.length) };
  if (path.startsWith(LISTS) && path !== LISTS) return { kind: "list", name: path.slice(LISTS.length) };
  if (lists.has(path.toLowerCase())) return { kind: "list", name: path };
  if (NEVER_WRITTEN.test(path) && !attributes.has(path)) return { kind: "ignored" };
  return { kind: "attribute", name: path };
}
