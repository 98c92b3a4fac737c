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
      // Rejected, as a look-up that failed: an error that is thrown would leave calls with a body without an answer.
      if (refusal !== undefined) return Promise.reject(refusal);
      return keys.find(key, address);
    },
    changed: (keyHash) => keys.changed(keyHash),
    usedSince: (ms) => keys.usedSince(ms),
  };
}
