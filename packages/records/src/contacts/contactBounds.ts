import {
  type AccountSettings,
  type ContactWrite,
  defaultChannels,
  type Identifier,
  isArrayEdit,
  isAttachable,
  type Written,
} from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";
import { type CastAttributes, toJson } from "./castAttributes.ts";
import { toDocument } from "./contactDocument.ts";
import type { Origin } from "./contactIndex.ts";
import type { Contact } from "./model.ts";

/** A bound of the account that the contact would pass. Nothing of the record is applied. */
export interface BoundPassed {
  readonly code: "CONTACT_TOO_LARGE" | "CONTACT_ATTRIBUTES_EXCEEDED" | "CONTACT_IDENTIFIERS_EXCEEDED";
  readonly path: string;
  readonly message: string;
}

/** Additions of a record to a contact. */
export interface Growth {
  readonly identifiers: readonly Identifier[];
  /** Absent when the record writes none. */
  readonly attributes?: CastAttributes["attributes"] | undefined;
  readonly geoEdits?: CastAttributes["geoEdits"] | undefined;
  readonly channels?: NonNullable<ContactWrite["attributes"]>["channels"];
}

/** Their statuses are always kept: an unsubscribe is never refused because the contact is full. */
const DEFAULT_CHANNELS: ReadonlySet<string> = new Set(defaultChannels);

/**
 * Returns why the record may not be written to the contact; undefined when it may, and whenever it makes nothing larger: a contact from
 * before the bound can still be shrunk, unsubscribed and erased. Depends only on what is stored and what is written, so that it is the
 * same in every batch.
 */
export function boundPassed(contact: Contact | undefined, growth: Growth, origin: Origin): BoundPassed | undefined {
  const { limits } = origin.account.settings;
  return (
    identifiersPassed(contact, growth, limits.identifiersPerContact) ??
    attributesPassed(contact, growth, limits.attributesPerContact) ??
    charactersPassed(contact, growth, { max: limits.charactersPerContact, version: origin.version })
  );
}

function identifiersPassed(contact: Contact | undefined, growth: Growth, max: number): BoundPassed | undefined {
  const { identifiers, channels } = growth;
  if (identifiers.length > 0 && countIdentifiers(contact) + identifiers.length > max) {
    const added = identifiers.filter((one) => isAttachable(one) && contact?.identifiers.has(one.name) !== true);
    if (added.length > 0 && countIdentifiers(contact) + added.length > max) {
      return tooMany("CONTACT_IDENTIFIERS_EXCEEDED", "/identifiers", `${max} identifiers`);
    }
  }
  if (channels === undefined) return undefined;
  const isAdded = (name: string) => contact?.channels.has(name) !== true && !DEFAULT_CHANNELS.has(name);
  const known = contact?.channels.size ?? 0;
  const names = Object.keys(channels);
  if (names.length + known <= max) return undefined;
  const added = names.filter(isAdded);
  if (added.length === 0 || known + added.length <= max) return undefined;
  return tooMany("CONTACT_IDENTIFIERS_EXCEEDED", "/attributes/channels", `${max} channels`);
}

/** Values that find the contact, under all names. */
export function countIdentifiers(contact: Contact | undefined): number {
  let count = 0;
  for (const values of contact?.identifiers.values() ?? []) count += values.length;
  return count;
}

function attributesPassed(contact: Contact | undefined, { attributes }: Growth, max: number): BoundPassed | undefined {
  if (attributes === undefined) return undefined;
  const names = Object.keys(attributes);
  if ((contact?.attributes.size ?? 0) + names.length <= max) return undefined;
  const isVisible = (name: string) => (contact?.attributes.get(name)?.value ?? null) !== null;
  const added = names.filter((name) => name !== "channels" && attributes[name] !== null && !isVisible(name));
  let view = 0;
  contact?.attributes.forEach((_name, value) => {
    if (value !== null) view++;
  });
  if (added.length === 0 || view + added.length <= max) return undefined;
  return tooMany("CONTACT_ATTRIBUTES_EXCEEDED", "/attributes", `${max} attributes`);
}

function tooMany(code: BoundPassed["code"], path: string, what: string): BoundPassed {
  return { code, path, message: `A contact can have at most ${what}.` };
}

interface CharactersBound {
  readonly max: number;
  readonly version: Origin["version"];
}

function charactersPassed(
  contact: Contact | undefined,
  growth: Growth,
  { max, version }: CharactersBound,
): BoundPassed | undefined {
  const known = contact === undefined ? 0 : (contact.characters ?? Number.POSITIVE_INFINITY);
  // Nearly always: neither the record nor the contact is checked.
  if (known + RECORD_CHARACTERS_MAX <= max) return noted(contact, RECORD_CHARACTERS_MAX);
  const most = mostCharacters(growth);
  if (known + most <= max) return noted(contact, most);
  const size = contact === undefined ? 0 : measure(contact);
  if (size + most <= max) return noted(contact, most);
  const added = addedCharacters(contact, growth, version);
  if (added.total <= 0 || size + added.total <= max) return noted(contact, most);
  const path = added.largest === undefined ? "/attributes" : `/attributes/${pointerStep(added.largest)}`;
  return { code: "CONTACT_TOO_LARGE", path, message: `A contact can have at most ${max} characters.` };
}

function noted(contact: Contact | undefined, most: number): undefined {
  if (contact?.characters !== undefined) contact.characters += most;
}

/** Characters of its document, as they are; remembered until the next write. */
export function measure(contact: Contact): number {
  const characters = toDocument(contact).length;
  contact.characters = characters;
  return characters;
}

/** No less than any record adds: an item has 256 KiB. */
const RECORD_CHARACTERS_MAX = 512 * 1024;
/** A character is written as six at most, and a value may stand as an attribute, an identifier and one that was. */
const ESCAPED = 6;
const COPIES = 3;
/** Versions, positions, quotes. */
const BESIDE = 256;

/** No less than the record adds to a document: found without checking its characters. */
function mostCharacters({ identifiers, attributes = {}, channels = {}, geoEdits }: Growth): number {
  let characters = 0;
  for (const { name, value } of identifiers) characters += mostOf(name, value);
  for (const name in attributes) if (name !== "channels") characters += mostOf(name, attributes[name]);
  for (const name in channels) characters += mostOf(name, channels[name]?.address ?? "") + BESIDE;
  for (const [name, edit] of geoEdits ?? []) characters += mostOf(name, edit);
  return characters;
}

function mostOf(name: string, value: unknown): number {
  const length = typeof value === "string" ? value.length * ESCAPED : lengthOf(value);
  return COPIES * (name.length * ESCAPED + length) + BESIDE;
}

function lengthOf(value: unknown): number {
  return typeof value === "object" && value !== null ? JSON.stringify(value).length : 0;
}

/** Returns how many characters the record's attributes and addresses add to what stands in their place, and the name that adds most. */
function addedCharacters(contact: Contact | undefined, growth: Growth, version: string) {
  const { attributes = {}, channels = {}, geoEdits = [] } = growth;
  let [total, most] = [0, 0];
  let largest: string | undefined;
  const add = (name: string, characters: number) => {
    total += characters;
    if (characters <= most) return;
    most = characters;
    largest = name;
  };
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== "channels") add(name, addedBy(contact?.attributes.get(name), { name, value: toJson(value), version }));
  }
  for (const [name, edit] of geoEdits) add(name, textOf(edit).length);
  for (const [name, channel] of Object.entries(channels)) {
    const before = contact?.channels.get(name)?.address?.value;
    const after = channel.address === undefined ? before : channel.address;
    add("channels", textOf(after ?? "").length - textOf(before ?? "").length);
  }
  return { total, largest };
}

/** An edit of an array is added to what is there, and so it counts. */
function addedBy(known: Written | undefined, { name, value, version }: { readonly name: string } & Written): number {
  if (isArrayEdit(value)) return textOf(value.add ?? []).length;
  if (known === undefined) return name.length + textOf(value).length;
  return known.version > version ? 0 : textOf(value).length - textOf(known.value).length;
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

/** Limit of one record's merges: each keeps both contacts as they were, so that it can be undone. */
const MERGED_CHARACTERS_MAX = 8 * 1024 * 1024;

/** Size of what a record has merged so far. */
export interface Merged {
  characters: number;
}

/**
 * Returns whether two contacts may become one: together they stay within the account's bounds. Adds up both, whatever they have in common.
 * @param merged by the same record before; this pair is added.
 */
export function fitTogether(
  left: Contact,
  right: Contact,
  { limits }: Pick<AccountSettings, "limits">,
  merged: Merged = { characters: 0 },
): boolean {
  // A record that has merged enough is not measured on and on.
  if (merged.characters > MERGED_CHARACTERS_MAX) return false;
  const characters = measure(left) + measure(right);
  merged.characters += characters;
  if (characters > limits.charactersPerContact || merged.characters > MERGED_CHARACTERS_MAX) return false;
  if (countIdentifiers(left) + countIdentifiers(right) > limits.identifiersPerContact) return false;
  if (left.channels.size + right.channels.size > limits.identifiersPerContact) return false;
  return left.attributes.size + right.attributes.size <= limits.attributesPerContact;
}
