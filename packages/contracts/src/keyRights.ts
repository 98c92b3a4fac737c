import { containsNetworks, intersectNetworks } from "@headwater/kernel";
import { coversScope } from "./scopes.ts";

/** Everything that limits a key. */
export interface KeyRights {
  readonly scopes: readonly string[];
  /** Absent = from anywhere. */
  readonly allowIps?: readonly string[];
  /** Absent = without end. */
  readonly expiresAtMs?: number;
}

/** Returns the scopes among `scopes` that a key with these rights cannot give. */
export function scopesBeyond(rights: KeyRights, scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !coversScope(rights.scopes, scope));
}

/** Names what `other` may do and `rights` may not: scopes, "addresses", "expiry"; empty when `rights` cover it whole. */
export function rightsBeyond(rights: KeyRights, other: KeyRights): string[] {
  const { allowIps, expiresAtMs } = rights;
  const isElsewhere =
    allowIps !== undefined && (other.allowIps === undefined || !containsNetworks(allowIps, other.allowIps));
  const isLonger = expiresAtMs !== undefined && (other.expiresAtMs ?? Number.POSITIVE_INFINITY) > expiresAtMs;
  const beyond = scopesBeyond(rights, other.scopes);
  return [...beyond, ...(isElsewhere ? ["addresses"] : []), ...(isLonger ? ["expiry"] : [])];
}

/**
 * Returns the addresses and the end of a key that one with `maker`'s rights makes: what both allow. An empty list of addresses
 * means that there is none from which both may be used.
 */
export function sharedLimits(maker: KeyRights, wanted: Omit<KeyRights, "scopes">): Omit<KeyRights, "scopes"> {
  const lists = [maker.allowIps, wanted.allowIps].filter((list) => list !== undefined);
  const ends = [maker.expiresAtMs, wanted.expiresAtMs].filter((end) => end !== undefined);
  const [one, other = one] = lists;
  return {
    ...(one !== undefined && other !== undefined && { allowIps: intersectNetworks(other, one) }),
    ...(ends.length > 0 && { expiresAtMs: Math.min(...ends) }),
  };
}
