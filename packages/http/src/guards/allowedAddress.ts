import { createNetworks, type Networks } from "@headwater/kernel";
import type { ApiKey } from "./keyCache.ts";

/** @returns a test of whether a key may be used from an address. Lists are read once for each key as it was looked up. */
export function createAllowedAddress(): (key: ApiKey, address: string | undefined) => boolean {
  const listOf = new WeakMap<ApiKey, Networks>();
  return (key, address) => {
    if (key.allowIps === undefined) return true;
    let list = listOf.get(key);
    if (list === undefined) {
      list = createNetworks(key.allowIps);
      listOf.set(key, list);
    }
    return address !== undefined && list.has(address);
  };
}
