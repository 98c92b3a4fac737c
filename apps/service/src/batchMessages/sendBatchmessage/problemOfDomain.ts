import type { Account } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";
import type { MessageSettings } from "../messageMembers.ts";

/** Returns what is wrong with the domain of a message's links: the account has none of that key. */
export function problemOfDomain(
  { vanityDomainKey }: Pick<MessageSettings, "vanityDomainKey">,
  { settings }: Account,
): ErrorDetail | undefined {
  if (vanityDomainKey === null || Object.hasOwn(settings.messaging.domains, vanityDomainKey)) return undefined;
  const message = "The account's `messaging.domains` have no such key.";
  return { path: "/vanityDomainKey", code: "bad_value", message };
}
