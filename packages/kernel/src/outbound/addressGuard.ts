import type { LookupAddress, LookupAllOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { Networks } from "../networks.ts";
import { isPublicAddress } from "./publicAddress.ts";

/** Code of an `OutboundRefused`, which drivers keep where they wrap it. */
export const OUTBOUND_REFUSED = "OUTBOUND_REFUSED";

/** The connection was refused because its address is private, loopback, link-local or otherwise not public. */
export class OutboundRefused extends Error {
  readonly code = OUTBOUND_REFUSED;
  constructor() {
    super("The host resolves to an address that outgoing connections may not reach.");
  }
}

/** Resolves a name to all of its addresses, as `lookup` of `node:dns` does. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Both are needed: Node looks up names alone, an address that stands in the place of a name goes by `refusalOf`. */
export interface AddressGuard {
  /** Returns what to fail with for an address that may not be reached; undefined for others and for names. */
  refusalOf(host: string | null | undefined): OutboundRefused | undefined;
  /** Resolves a name to the addresses that may be reached. Fails with OutboundRefused when there is none. */
  readonly lookup: LookupFunction;
}

export function createAddressGuard(allowed: Networks, resolve: Resolve): AddressGuard {
  const permits = (address: string) => isPublicAddress(address) || allowed.has(address);
  return {
    refusalOf(host) {
      const bare = withoutBrackets(host ?? "");
      return isIP(bare) === 0 || permits(bare) ? undefined : new OutboundRefused();
    },
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, "");
        const permitted = addresses.filter(({ address }) => permits(address));
        const [first] = permitted;
        if (first === undefined) return callback(new OutboundRefused(), "");
        return options.all === true ? callback(null, permitted) : callback(null, first.address, first.family);
      });
    },
  };
}

/** Returns an IPv6 address as URLs write it without its brackets; any other host as it is. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}
