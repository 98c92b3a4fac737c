import { canonicalOf } from "./canonicalAddress.ts";
import type { Origin } from "./contactIndex.ts";
import { addressOf, type Contact } from "./model.ts";

/** Returns the address of a channel in the form under which it is suppressed; undefined for a contact without one. */
export function suppressedAddress(
  contact: Contact,
  { channel, identifier }: { readonly channel: string; readonly identifier: string },
  origin: Pick<Origin, "account">,
): string | undefined {
  const address = addressOf(contact, channel, identifier);
  return address === undefined ? undefined : (canonicalOf(identifier, address, origin) ?? address);
}
