import type { ApiKey } from "@headwater/http";
import { addressesIn, addressesOfChannels, warningsOfAddresses } from "@headwater/operations";
import type { ContactBody } from "./contactBody.ts";

/** Names the addresses of a contact's body that cannot be one of their channel. */
export function contactWarnings({ channels = {}, attributes = {} }: ContactBody, { account }: ApiKey) {
  const given = [...addressesOfChannels(channels, "/channels"), ...addressesIn(attributes, "/attributes")];
  return warningsOfAddresses(given, account.settings);
}
