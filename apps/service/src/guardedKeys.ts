import type { KeyCache } from "@headwater/http";

/** The part of the store guard that a look-up asks: what to answer while Postgres is known to have lost data. */
interface Guard {
  refusal(): Error | undefined;
}

/** Keys behind the store guard. Every call has a key: with a Postgres that went back none is answered, not from ClickHouse alone either. */
export function guardKeys(keys: KeyCache, guard: Guard): KeyCache {
  return {
    find(key, address) {
      const refusal = guard.refusal();
      if (refusal !== undefined) throw refusal;
      return keys.find(key, address);
    },
    changed: (keyHash) => keys.changed(keyHash),
    usedSince: (ms) => keys.usedSince(ms),
  };
}
