import type { MessagingSettings } from "@headwater/contracts";
import { withoutTrailing } from "@headwater/kernel";

/** Parts of the address that the links of a message begin with. */
export interface LinkBase {
  /** Address of the tracker. */
  readonly trackingUrl: string;
  readonly settings: Pick<MessagingSettings, "domains">;
  /** Key of the account's domain that the message names; undefined for none. */
  readonly vanityDomainKey: string | undefined;
}

/**
 * Returns the address that links of a message begin with: the tracker's, with the host of the message's domain. One whose domain was taken out
 * of the settings keeps the tracker's own host.
 */
export function linkBaseOf({ trackingUrl, settings: { domains }, vanityDomainKey }: LinkBase): string {
  const host = vanityDomainKey !== undefined && Object.hasOwn(domains, vanityDomainKey) && domains[vanityDomainKey];
  if (!host) return trackingUrl;
  const { protocol, pathname } = new URL(trackingUrl);
  return `${protocol}//${host}${withoutTrailing(pathname, "/")}`;
}
