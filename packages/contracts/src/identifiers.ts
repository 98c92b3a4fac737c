import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { AccountSettings } from "./settings.ts";

/** One identifier of a record in canonical form. */
export interface Identifier {
  readonly name: string;
  readonly value: string;
}

export const IDENTIFIER_VALUE_CHARACTERS_MAX = 512;
const MSISDN = /^(?:00)?([1-9]\d{6,14})$/;

/** `channels.email.address` is `email`, `channels.sms.address` is `phone`; every other name stays. */
export function canonicalName(name: string): string {
  if (name === "channels.email.address") return "email";
  if (name === "channels.sms.address") return "phone";
  return name;
}

/** Channels that every account has. */
export const usualChannels = ["email", "sms", "push"] as const;

/** The name by which a channel's address finds a contact. */
export function identifierOfChannel(channel: string): string {
  return canonicalName(`channels.${channel}.address`);
}

/**
 * The one form under which a value is a Kafka key, an index entry and a query parameter.
 * @returns undefined when the value has no canonical form (empty, too long, a phone without digits, an unsafe integer).
 */
export function canonicalValue(format: "email" | "phone" | "string", value: string | number): string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : undefined;
  const text = value.trim();
  if (text.length === 0 || text.length > IDENTIFIER_VALUE_CHARACTERS_MAX) return undefined;
  if (format === "email") return normalised(text).toLowerCase();
  if (format === "phone") return canonicalPhone(text);
  return normalised(text);
}

/** Plain ASCII is in NFC already; the test spares most values the work. */
function normalised(text: string): string {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 127) return text.normalize("NFC");
  }
  return text;
}

function canonicalPhone(text: string): string | undefined {
  const digits = text.replace(/\D/g, "");
  if (digits.length === 0) return undefined;
  if (!text.startsWith("+")) return digits;
  return parsePhoneNumberFromString(text)?.number ?? `+${digits}`;
}

/**
 * Returns the E.164 form of a number that begins with its country and has no `+`, as providers of SMS write it; undefined for any other text.
 */
export function internationalPhone(text: string): string | undefined {
  const [, digits] = MSISDN.exec(text.trim()) ?? [];
  const parsed = digits === undefined ? undefined : parsePhoneNumberFromString(`+${digits}`);
  return parsed?.isValid() === true ? parsed.number : undefined;
}

/** The account's reading of names: format and place in its order of trial. Unknown names are plain strings. */
export interface IdentifierRules {
  readonly formats: ReadonlyMap<string, "email" | "phone" | "string">;
  readonly secondary: ReadonlySet<string>;
  /** Places in the order of trial. */
  readonly places: ReadonlyMap<string, number>;
}

const rulesOf = new WeakMap<AccountSettings, IdentifierRules>();

export function identifierRules(settings: AccountSettings): IdentifierRules {
  const known = rulesOf.get(settings);
  if (known !== undefined) return known;
  const formats = new Map(settings.identifiers.map((entry) => [entry.name, entry.format]));
  const rules: IdentifierRules = {
    formats,
    secondary: new Set(settings.identifiers.filter((e) => e.kind === "secondary").map((e) => e.name)),
    places: new Map([...formats.keys()].map((name, place) => [name, place])),
  };
  rulesOf.set(settings, rules);
  return rules;
}

export type IdentifiersResult =
  | { readonly kind: "ok"; readonly identifiers: readonly Identifier[] }
  | { readonly kind: "invalid"; readonly name: string };

/**
 * Canonical identifiers of a record in order of trial: `identifiersPriority` as given, then the account's order, then
 * unknown names by code point; never the order of members in the JSON. Of two spellings of one name the same order decides.
 */
export function identifiersInOrder(
  settings: AccountSettings,
  given: Readonly<Record<string, string | number>>,
  priority: readonly string[] | undefined,
): IdentifiersResult {
  const rules = identifierRules(settings);
  const found: Identifier[] = [];
  for (const name of Object.keys(given)) {
    const canonical = canonicalName(name);
    const value = canonicalValue(rules.formats.get(canonical) ?? "string", given[name] ?? "");
    if (value === undefined) return { kind: "invalid", name };
    const known = named(found, canonical);
    if (known === undefined) found.push({ name: canonical, value });
    else if (firstSpelling(canonical, given, priority) === name)
      found[found.indexOf(known)] = { name: canonical, value };
  }
  return { kind: "ok", identifiers: isOrdered(found, rules, priority) ? found : ordered(found, rules, priority) };
}

/** Returns the spelling of a name that decides among those given: as the priority has them, then by code point. */
function firstSpelling(canonical: string, given: object, priority: readonly string[] = []): string | undefined {
  const spellings = Object.keys(given).filter((name) => canonicalName(name) === canonical);
  return priority.find((name) => spellings.includes(name)) ?? spellings.toSorted(byCodePoint)[0];
}

/** Returns whether identifiers stand in the account's order as they came, which nearly all records send. */
function isOrdered(found: readonly Identifier[], { places }: IdentifierRules, priority: readonly string[] | undefined) {
  if (found.length < 2) return true;
  if (priority !== undefined) return false;
  let before = -1;
  for (const { name } of found) {
    const place = places.get(name);
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
