import { type Account, canonicalName, identifierOfChannel, isPlaceholder } from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";
import type { ContactBody, NewContactBody } from "./contactBody.ts";

/** Identifiers by which a body names its contact. */
export interface Identified {
  /** Identifiers in the form that a record of the log has. */
  readonly identifiers: Record<string, string | number>;
  readonly identifiersPriority: string[];
}

/**
 * A contact is found by its primary keys (of channels and attributes), then by the keys of `identifyBy`; where a body has none of
 * them, by the addresses of all its channels. Other keys only go to the contact that is found, but where a text such as `none` stands in
 * place of every address: they find it then.
 */
export function identifyContact(body: NewContactBody, { settings }: Account): Identified {
  const values = keyValues(body);
  const primary = settings.identifiers.filter(({ kind }) => kind === "primary").map(({ name }) => name);
  const channels = Object.keys(body.channels).map(identifierOfChannel);
  const identifies = (name: string) => {
    const value = values.get(name);
    return value !== undefined && !isPlaceholder({ name, value: String(value) });
  };
  const choices = [
    [...primary, ...(body.identifyBy ?? []).map(canonicalName)].filter(identifies),
    channels.filter(identifies),
    settings.identifiers.map(({ name }) => name).filter(identifies),
  ];
  const names = [...new Set(choices.find(({ length }) => length > 0) ?? channels)];
  const identifiers = Object.fromEntries(names.map((name) => [name, values.get(name) ?? ""]));
  return { identifiers, identifiersPriority: names };
}

/** Returns where a body has the value of an identifier. @param name canonical. */
export function placeOfIdentifier({ channels = {}, attributes = {} }: ContactBody, name: string): string {
  const channel = Object.keys(channels).find((one) => identifierOfChannel(one) === name);
  if (channel !== undefined) return `/channels/${pointerStep(channel)}/address`;
  const attribute = Object.keys(attributes).find((one) => canonicalName(one) === name);
  return attribute === undefined ? "/channels" : `/attributes/${pointerStep(attribute)}`;
}

/** Values that can find a contact, by canonical name; a channel's address comes before an attribute of the same name. No attribute is a cID. */
function keyValues({ channels, attributes = {} }: NewContactBody): Map<string, string | number> {
  const values = new Map<string, string | number>();
  for (const [name, value] of Object.entries(attributes)) {
    if (isKeyValue(value) && canonicalName(name) !== "cID") values.set(canonicalName(name), value);
  }
  for (const [name, { address }] of Object.entries(channels)) values.set(identifierOfChannel(name), address);
  return values;
}

function isKeyValue(value: unknown): value is string | number {
  return (typeof value === "string" && value.trim() !== "") || Number.isSafeInteger(value);
}
