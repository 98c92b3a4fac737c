import type { ItemWarning } from "@headwater/contracts";
import {
  type AccountSettings,
  addressedChannel,
  canonicalIdentifier,
  canonicalName,
  type Identifier,
  identifierOfChannel,
  isNotAnAddress,
  type shapes,
} from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";

/** Value that a body gives for an identifier. */
export interface GivenIdentifier {
  /** Pointer into the body. */
  readonly path: string;
  /** Canonical name. */
  readonly name: string;
  readonly value: unknown;
}

/** Limit of the addresses that are named of one body. */
export const ADDRESSES_NAMED_MAX = 20;

const MESSAGE = "It is not an address of its channel: it is stored, and gets no messages.";

/** Names the addresses of a body that cannot be one of their channel: the first 20 of them. */
export function warningsOfAddresses(given: Iterable<GivenIdentifier>, settings: AccountSettings): ItemWarning[] {
  const warnings: ItemWarning[] = [];
  for (const { path, name, value } of given) {
    if (warnings.length === ADDRESSES_NAMED_MAX) break;
    if (isWrong(name, value, settings)) warnings.push(addressWarning(path));
  }
  return warnings;
}

/** Returns the members of an object that give the address of a channel by its name. @param at pointer to the object. */
export function addressesIn(members: Readonly<Record<string, unknown>>, at: string): GivenIdentifier[] {
  return Object.keys(members).flatMap((given) => {
    const name = canonicalName(given);
    if (addressedChannel(name) === undefined) return [];
    return { path: `${at}/${pointerStep(given)}`, name, value: members[given] };
  });
}

/** Returns the addresses of channels. @param at pointer to the channels. */
export function addressesOfChannels(channels: Readonly<Record<string, unknown>>, at: string): GivenIdentifier[] {
  return Object.entries(channels).map(([name, channel]) => {
    const value = isMembers(channel) ? channel.address : undefined;
    return { path: `${at}/${pointerStep(name)}/address`, name: identifierOfChannel(name), value };
  });
}

/**
 * Names the addresses of a contact that cannot be one of their channel.
 * @param identifiers of the contact, in canonical form.
 * @param at pointer to the contact's identifiers, as the item has them.
 */
export function addressWarnings(
  contact: shapes.ContactReference,
  identifiers: readonly Identifier[],
  { settings, at }: { readonly settings: AccountSettings; readonly at: string },
): ItemWarning[] {
  const attributes: unknown = "attributes" in contact ? contact.attributes : undefined;
  const named = identifiers.some(isNotAnAddress) ? addressesIn(contact.identifiers, at) : [];
  if (!isMembers(attributes)) return warningsOfAddresses(named, settings);
  const pointer = at.replace(/identifiers$/, "attributes");
  const written = addressNames.flatMap((name) => {
    return attributes[name] === undefined ? [] : { path: `${pointer}/${name}`, name, value: attributes[name] };
  });
  const channels = isMembers(attributes.channels)
    ? addressesOfChannels(attributes.channels, `${pointer}/channels`)
    : [];
  return warningsOfAddresses([...named, ...written, ...channels], settings);
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

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
