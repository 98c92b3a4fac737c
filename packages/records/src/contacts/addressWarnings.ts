import type { ItemWarning } from "@headwater/contracts";
import {
  type AccountSettings,
  addressedChannel,
  canonicalIdentifier,
  canonicalName,
  type Identifier,
  identifierOfChannel,
  identifierRules,
  isMissingValue,
  isNotAnAddress,
  type shapes,
} from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";

/** Value that a body gives for an identifier. */
export interface IdentifierInput {
  /** Pointer into the body. */
  readonly path: string;
  /** Canonical name. */
  readonly name: string;
  readonly value: unknown;
}

/** Limit of the addresses that are named of one body. */
export const ADDRESSES_NAMED_MAX = 20;

const MESSAGE = "It is not an address of its channel: it is stored, and gets no messages.";
const MISSING = "It says that there is no value: it is nobody's identifier, and finds no contact.";

/** Names the addresses of a body that cannot be one of their channel, and identifiers that say that there is no value: the first 20 of them. */
export function identifierWarnings(input: Iterable<IdentifierInput>, settings: AccountSettings): ItemWarning[] {
  const warnings: ItemWarning[] = [];
  for (const { path, name, value } of input) {
    if (warnings.length === ADDRESSES_NAMED_MAX) break;
    if (isWrong(name, value, settings)) warnings.push(addressWarning(path));
    else if (isMissing(name, value)) warnings.push({ path, code: "missing_value", message: MISSING });
  }
  return warnings;
}

/** Returns the members of an object that are addresses of a channel or other identifiers of the account. @param at pointer to the object. */
export function identifiersIn(
  members: Readonly<Record<string, unknown>>,
  at: string,
  settings: AccountSettings,
): IdentifierInput[] {
  const { formats } = identifierRules(settings);
  return everyIdentifierIn(members, at).filter(({ name }) => addressedChannel(name) !== undefined || formats.has(name));
}

/** Returns the members of an object whose names are identifiers, of the account or not. @param at pointer to the object. */
export function everyIdentifierIn(members: Readonly<Record<string, unknown>>, at: string): IdentifierInput[] {
  return Object.keys(members).map((provided) => {
    return { path: `${at}/${pointerStep(provided)}`, name: canonicalName(provided), value: members[provided] };
  });
}

/** Returns the addresses of channels. @param at pointer to the channels. */
export function addressesOfChannels(channels: Readonly<Record<string, unknown>>, at: string): IdentifierInput[] {
  return Object.entries(channels).map(([name, channel]) => {
    const value = isMembers(channel) ? channel.address : undefined;
    return { path: `${at}/${pointerStep(name)}/address`, name: identifierOfChannel(name), value };
  });
}

/**
 * Names the addresses of a contact that cannot be one of their channel, and identifiers that say that there is no value.
 * @param identifiers of the contact, in canonical form.
 * @param at pointer to the contact's identifiers, as the item has them.
 */
export function contactIdentifierWarnings(
  contact: shapes.ContactReference,
  identifiers: readonly Identifier[],
  { settings, at }: { readonly settings: AccountSettings; readonly at: string },
): ItemWarning[] {
  const attributes: unknown = "attributes" in contact ? contact.attributes : undefined;
  const isNamed = identifiers.some((one) => isNotAnAddress(one) || isMissingValue(one));
  const named = isNamed ? everyIdentifierIn(contact.identifiers, at) : [];
  if (!isMembers(attributes)) return identifierWarnings(named, settings);
  const pointer = at.replace(/identifiers$/, "attributes");
  const written: IdentifierInput[] = [];
  const add = (name: string) => {
    const value = attributes[name];
    if (value !== undefined) written.push({ path: `${pointer}/${pointerStep(name)}`, name, value });
  };
  for (const name of addressNames) add(name);
  for (const name of identifierRules(settings).formats.keys()) if (addressedChannel(name) === undefined) add(name);
  const channels = isMembers(attributes.channels)
    ? addressesOfChannels(attributes.channels, `${pointer}/channels`)
    : [];
  return identifierWarnings([...named, ...written, ...channels], settings);
}

/** Attributes that are the addresses of channels. */
const addressNames = ["email", "phone"] as const;

/** Returns the warning of an identifier that cannot be an address of its channel. */
export function addressWarning(path: string): ItemWarning {
  return { path, code: "not_an_address", message: MESSAGE };
}

function isWrong(name: string, value: unknown, settings: AccountSettings): boolean {
  if (addressedChannel(name) === undefined || (typeof value !== "string" && typeof value !== "number")) return false;
  if (String(value).trim() === "") return false;
  const canonical = canonicalIdentifier(settings, name, value);
  return canonical === undefined || isNotAnAddress({ name, value: canonical });
}

function isMissing(name: string, value: unknown): boolean {
  return typeof value === "string" && isMissingValue({ name, value: value.trim() });
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
