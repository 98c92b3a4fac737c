import {
  type AccountSettings,
  canonicalIdentifier,
  canonicalName,
  type Identifier,
  identifierOfChannel,
  isNotAnAddress,
  type shapes,
} from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";
import type { ItemWarning } from "./unknownMembers.ts";

/** Names whose values are addresses of a form, and their channels. */
const addressed = [
  { name: "email", channel: "email" },
  { name: "phone", channel: "sms" },
] as const;

/**
 * Names the addresses of a contact that are none: they are stored, and get no messages.
 * @param identifiers of the contact, in canonical form.
 * @param at pointer to the contact's identifiers, as the item has them.
 */
export function addressWarnings(
  contact: shapes.ContactReference,
  identifiers: readonly Identifier[],
  { settings, at }: { readonly settings: AccountSettings; readonly at: string },
): ItemWarning[] {
  const wrong: string[] = [];
  if (identifiers.some(isNotAnAddress)) {
    const names = new Set(identifiers.filter(isNotAnAddress).map(({ name }) => name));
    const given = Object.keys(contact.identifiers).filter((name) => names.has(canonicalName(name)));
    wrong.push(...given.map((name) => `${at}/${pointerStep(name)}`));
  }
  const attributes: unknown = "attributes" in contact ? contact.attributes : undefined;
  if (isMembers(attributes)) {
    const pointer = at.replace(/identifiers$/, "attributes");
    wrong.push(...wrongAttributes(attributes, settings).map((path) => pointer + path));
  }
  return wrong.map((path) => ({ path, code: "not_an_address", message: NOT_AN_ADDRESS }));
}

const NOT_AN_ADDRESS = "It is not an address of its channel: it is stored, and gets no messages.";

function wrongAttributes(attributes: Readonly<Record<string, unknown>>, settings: AccountSettings): string[] {
  const isWrong = (name: string, value: unknown) => {
    if (typeof value !== "string" && typeof value !== "number") return false;
    const canonical = canonicalIdentifier(settings, name, value);
    return canonical !== undefined && isNotAnAddress({ name, value: canonical });
  };
  const channels = isMembers(attributes.channels) ? attributes.channels : {};
  return addressed.flatMap(({ name, channel }) => {
    const members = channels[channel];
    const address = isMembers(members) ? members.address : undefined;
    return [
      ...(isWrong(name, attributes[name]) ? [`/${name}`] : []),
      ...(isWrong(identifierOfChannel(channel), address) ? [`/channels/${channel}/address`] : []),
    ];
  });
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
