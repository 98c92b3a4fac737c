import { canonicalEmail, canonicalPhone, composed, formerAddress, isAddressOf } from "./addresses.ts";
import type { AccountSettings } from "./settings.ts";

/** One identifier of a record in canonical form. */
export interface Identifier {
  readonly name: string;
  readonly value: string;
}

export const IDENTIFIER_VALUE_CHARACTERS_MAX = 512;
/** A display name or a link may surround an address. */
const WRITTEN_CHARACTERS_MAX = 4 * IDENTIFIER_VALUE_CHARACTERS_MAX;

/** `channels.email.address` is `email`, `channels.sms.address` is `phone`; every other name stays. */
export function canonicalName(name: string): string {
  if (name === "channels.email.address") return "email";
  if (name === "channels.sms.address") return "phone";
  return name;
}

/** Channels that every account has. */
export const defaultChannels = ["email", "sms", "push"] as const;

/** Returns the name of a channel as it is stored: one that every account has is meant in any case, every other name is as given. */
export function canonicalChannel(name: string): string {
  const lower = name.trim().toLowerCase();
  return defaultChannels.find((channel) => channel === lower) ?? name;
}

/** The name by which a channel's address finds a contact. */
export function identifierOfChannel(channel: string): string {
  return canonicalName(`channels.${channel}.address`);
}

type IdentifierFormat = "email" | "phone" | "string";

/**
 * The one form under which a value is a Kafka key, an index entry and a query parameter: the same for a value that is canonical already.
 * @param country of phone numbers that name none.
 * @returns undefined when the value has no canonical form (empty, too long, an unsafe integer).
 */
export function canonicalValue(
  format: IdentifierFormat,
  value: string | number,
  country?: string | undefined,
): string | undefined {
  if (typeof value === "number" && !Number.isSafeInteger(value)) return undefined;
  const text = String(value).trim();
  if (text.length === 0 || text.length > WRITTEN_CHARACTERS_MAX) return undefined;
  const canonical = canonicalText(format, text, country);
  return canonical === "" || (canonical?.length ?? 0) > IDENTIFIER_VALUE_CHARACTERS_MAX ? undefined : canonical;
}

function canonicalText(format: IdentifierFormat, text: string, country: string | undefined): string | undefined {
  if (format === "email") return canonicalEmail(text);
  return format === "phone" ? canonicalPhone(text, country) : composed(text);
}

/** Returns the canonical value of an identifier of the account. */
export function canonicalIdentifier(
  settings: Pick<AccountSettings, "identifiers" | "country">,
  name: string,
  value: string | number,
): string | undefined {
  return canonicalValue(identifierRules(settings).formats.get(name) ?? "string", value, settings.country);
}

/** Names of the channels whose addresses have a form, by the identifier of theirs. */
const channelOfAddress: ReadonlyMap<string, string> = new Map([
  ["email", "email"],
  ["phone", "sms"],
]);

/** Returns the channel whose address an identifier is, where such addresses have a form; undefined for every other identifier. */
export function addressedChannel(name: string): string | undefined {
  return channelOfAddress.get(name);
}

/** Returns whether an identifier is the address of a channel that has addresses of a form, and cannot be one. */
export function isNotAnAddress({ name, value }: Identifier): boolean {
  const channel = channelOfAddress.get(name);
  return channel !== undefined && !isAddressOf(channel, value);
}

/**
 * Texts that people and programs write where they have no value, in lower case. `NA` and `no` are not among them: they are codes of
 * countries, and words.
 */
const missingValues: ReadonlySet<string> = new Set([
  ...["n/a", "n.a.", "#n/a", "none", "null", "(null)", "nil", "nan", "undefined", "unknown"],
  ...["-", "--", "---", "–", "—", "?"],
]);
const MISSING_VALUE_CHARACTERS_MAX = 9;

/** Returns whether an identifier says that there is no value, such as `n/a` for a customer's id: it is nobody's. */
export function isMissingValue({ value }: Identifier): boolean {
  return value.length <= MISSING_VALUE_CHARACTERS_MAX && missingValues.has(value.toLowerCase());
}

/**
 * Returns whether an identifier tells nothing of the contact, because people leave such a text in place of a value: an email without `@`, a
 * phone number without digits, and what says that there is no value.
 */
export function isPlaceholder(identifier: Identifier): boolean {
  const { name, value } = identifier;
  if (name === "email") return !value.includes("@");
  if (name === "phone") return !/\d/.test(value);
  return isMissingValue(identifier);
}

/** The account's reading of names: format and position in its order of trial. Unknown names are plain strings. */
export interface IdentifierRules {
  readonly formats: ReadonlyMap<string, IdentifierFormat>;
  readonly secondary: ReadonlySet<string>;
  /** Positions in the order of trial. */
  readonly places: ReadonlyMap<string, number>;
}

const rulesOf = new WeakMap<object, IdentifierRules>();

export function identifierRules(settings: Pick<AccountSettings, "identifiers">): IdentifierRules {
  const known = rulesOf.get(settings);
  if (known !== undefined) return known;
  const formats = new Map(settings.identifiers.map((entry) => [entry.name, entry.format]));
  const rules: IdentifierRules = {
    formats,
    secondary: new Set(settings.identifiers.filter((e) => e.kind === "secondary").map((e) => e.name)),
    places: new Map([...formats.keys()].map((name, position) => [name, position])),
  };
  rulesOf.set(settings, rules);
  return rules;
}

export type IdentifiersResult =
  | {
      readonly kind: "ok";
      readonly identifiers: readonly Identifier[];
      /** Forms that their values had before, where these are others: they find contacts of that time. */
      readonly former?: readonly Identifier[];
      /** Placeholders among them. They find no contact, because the others do. */
      readonly placeholders?: readonly Identifier[];
    }
  | { readonly kind: "invalid"; readonly name: string };

/**
 * Canonical identifiers of a record in order of trial: `identifiersPriority` as given, then the account's order, then
 * unknown names by code point; never the order of members in the JSON. Of two spellings of one name the same order decides. Placeholders
 * are identifiers only of a record that has no others.
 */
export function identifiersInOrder(
  settings: AccountSettings,
  input: Readonly<Record<string, string | number>>,
  priority: readonly string[] | undefined,
): IdentifiersResult {
  const rules = identifierRules(settings);
  const found: Identifier[] = [];
  let former: Identifier[] | undefined;
  for (const name of Object.keys(input)) {
    const canonical = canonicalName(name);
    const format = rules.formats.get(canonical) ?? "string";
    const value = canonicalValue(format, input[name] ?? "", settings.country);
    if (value === undefined) return { kind: "invalid", name };
    const before = format === "string" ? undefined : formerAddress(format, input[name] ?? "", value);
    if (before !== undefined) former = [...(former ?? []), { name: canonical, value: before }];
    const known = named(found, canonical);
    if (known === undefined) found.push({ name: canonical, value });
    else if (firstSpelling(canonical, input, priority) === name)
      found[found.indexOf(known)] = { name: canonical, value };
  }
  const identifiers = isOrdered(found, rules, priority) ? found : ordered(found, rules, priority);
  const meant = found.length > 1 && found.some(isPlaceholder) ? withoutPlaceholders(identifiers) : { identifiers };
  return former === undefined ? { kind: "ok", ...meant } : { kind: "ok", ...meant, former };
}

/** A text in place of an address is an identifier where all others say that there is no value; of those alone all are left. */
function withoutPlaceholders(all: readonly Identifier[]) {
  for (const isOut of [isPlaceholder, isMissingValue]) {
    const identifiers = all.filter((identifier) => !isOut(identifier));
    if (identifiers.length > 0) return { identifiers, placeholders: all.filter(isOut) };
  }
  return { identifiers: all };
}

/** Returns the first identifier of a record whose identifiers all say that there is no value: it names no contact. */
export function missingIdentifier(found: IdentifiersResult): Identifier | undefined {
  if (found.kind !== "ok" || !found.identifiers.every(isMissingValue)) return undefined;
  return found.identifiers[0];
}

/** Returns the spelling of a name that decides among those given: as the priority has them, then by code point. */
function firstSpelling(canonical: string, provided: object, priority: readonly string[] = []): string | undefined {
  const spellings = Object.keys(provided).filter((name) => canonicalName(name) === canonical);
  return priority.find((name) => spellings.includes(name)) ?? spellings.toSorted(byCodePoint)[0];
}

/** Returns whether identifiers stand in the account's order as they came, which nearly all records send. */
function isOrdered(
  found: readonly Identifier[],
  { places: positions }: IdentifierRules,
  priority: readonly string[] | undefined,
) {
  if (found.length < 2) return true;
  if (priority !== undefined) return false;
  let before = -1;
  for (const { name } of found) {
    const place = positions.get(name);
    if (place === undefined || place < before) return false;
    before = place;
  }
  return true;
}

/** Sorts identifiers by the rules of the account; there are at most 64, most often one or two. */
function ordered(
  found: readonly Identifier[],
  rules: IdentifierRules,
  priority: readonly string[] | undefined,
): Identifier[] {
  const result: Identifier[] = [];
  const take = (name: string): void => {
    const identifier = named(found, name);
    if (identifier !== undefined && !result.includes(identifier)) result.push(identifier);
  };
  for (const name of priority ?? []) take(canonicalName(name));
  for (const name of rules.formats.keys()) take(name);
  if (result.length === found.length) return result;
  const unknown = found.filter((identifier) => !result.includes(identifier));
  return [...result, ...unknown.sort((a, b) => byCodePoint(a.name, b.name))];
}

function named(identifiers: readonly Identifier[], name: string): Identifier | undefined {
  for (const identifier of identifiers) if (identifier.name === name) return identifier;
  return undefined;
}

export function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** The text that keeps all records of one identity on one partition; also the Kafka key of a frame of one contact. */
export function identityText(accountId: string, identity: Identifier): string {
  return `${accountId}\n${identity.name}\n${identity.value}`;
}

/**
 * FNV-1a over UTF-16 code units with the finaliser of murmur3, modulo the number of partitions, which is fixed at
 * creation of a topic: keys never move.
 */
export function partitionOf(text: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % partitions;
}
