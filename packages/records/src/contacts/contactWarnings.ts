import type { Caller } from "@headwater/http";
import { addressesOfChannels, identifiersIn, identifierWarnings } from "./addressWarnings.ts";
import type { ContactBody } from "./contactBody.ts";
import { similarAttributeWarnings } from "./similarNames.ts";

/** Names the addresses and identifiers of a contact's body that are none, and attributes that are nearly identifiers. */
export function contactWarnings({ channels = {}, attributes = {} }: ContactBody, { account }: Caller) {
  const { settings } = account;
  const input = [...addressesOfChannels(channels, "/channels"), ...identifiersIn(attributes, "/attributes", settings)];
  return [...identifierWarnings(input, settings), ...similarAttributeWarnings(attributes, settings, "/attributes")];
}
