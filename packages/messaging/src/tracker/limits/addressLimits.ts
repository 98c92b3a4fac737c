import { networkOf } from "@headwater/kernel";

/** A bucket for each address of a client. */
export interface AddressLimits {
  /** Takes one; false when the address has to wait. @param nowMs monotonic. */
  take(address: string, nowMs: number): boolean;
}

export interface AddressLimit {
  readonly perSecond: number;
  /** Calls that may come at once. */
  readonly burst: number;
  /** Addresses that are remembered; the one that was quiet longest goes. Default 50,000. */
  readonly addressesMax?: number;
}

interface Bucket {
  readonly left: number;
  readonly atMs: number;
}

const ADDRESSES_MAX = 50_000;

/** Limits what one address may do a second, in bounded memory. IPv6 clients have a network of 64 bits each. */
export function createAddressLimits({ perSecond, burst, addressesMax = ADDRESSES_MAX }: AddressLimit): AddressLimits {
  const buckets = new Map<string, Bucket>();
  return {
    take(address, nowMs) {
      const key = networkOf(address);
      const { left, atMs } = buckets.get(key) ?? { left: burst, atMs: nowMs };
      const now = Math.min(burst, left + ((nowMs - atMs) * perSecond) / 1_000);
      buckets.delete(key);
      buckets.set(key, { left: now >= 1 ? now - 1 : now, atMs: nowMs });
      if (buckets.size > addressesMax) deleteFirst(buckets);
      return now >= 1;
    },
  };
}

function deleteFirst(buckets: Map<string, Bucket>): void {
  const [first] = buckets.keys();
  if (first !== undefined) buckets.delete(first);
}
