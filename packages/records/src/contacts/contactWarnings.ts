import type { ApiKey } from "@headwater/http";
import { addressesIn, addressesOfChannels, warningsOfAddresses } from "./addressWarnings.ts";
import type { ContactBody } from "./contactBody.ts";
import { similarAttributeWarnings } from "./similarNames.ts";

/** Names the addresses of a contact's body that cannot be one of their channel, and attributes that are nearly identifiers. */
export function contactWarnings({ channels = {}, attributes = {} }: ContactBody, { account }: ApiKey) {
  const given = [...addressesOfChannels(channels, "/channels"), ...addressesIn(attributes, "/attributes")];
  return [
    ...warningsOfAddresses(given, account.settings),
    ...similarAttributeWarnings(attributes, account.settings, "/attributes"),
  ];
}
