import type { Account } from "@headwater/contracts";
import { type Clock, hashApiKey, type Logger, systemClock, withTimeout } from "@headwater/kernel";
import { refusal } from "../answers/refusal.ts";

/** An API key that is valid now: not revoked, of an account that is there. */
export interface ApiKey {
  readonly id: string;
  readonly account: Account;
  readonly scopes: readonly string[];
  readonly expiresAtMs?: number;
}

export interface KeyCacheOptions {
  /** Looks a key up by its hash, with its account and settings; undefined when nobody may use it. */
  readonly find: (keyHash: string) => Promise<ApiKey | undefined>;
  readonly logger: Logger;
  /** A revoked key is refused, and changed settings hold, after so long; default 1 s. */
  readonly ttlMs?: number;
  /** A key nobody knew is not looked up again for so long; default 1 s. */
  readonly negativeTtlMs?: number;
  readonly maxEntries?: number;
  readonly findTimeoutMs?: number;
  readonly clock?: Clock;
}

export interface KeyCache {
  /**
   * At once for keys that are fresh. @returns undefined for a key nobody knows.
   * @throws (rejects) 503 when the key was not seen before and the store is away: known keys go on as they were.
   */
  find(key: string): ApiKey | undefined | Promise<ApiKey | undefined>;
}

interface Entry {
  key: ApiKey | undefined;
  checkedAtMs: number;
  refresh: Promise<void> | undefined;
  /** The last look-up failed: what is known is used while the next one runs. */
  isStale: boolean;
}

const LOOKUPS_MAX = 256;
const KEY_CHARACTERS_MAX = 256;

/** Keys by hash, refreshed in the background at half of their time, so that a busy key never waits for the store. */
export function createKeyCache(options: KeyCacheOptions): KeyCache {
  const { logger, ttlMs = 1_000, negativeTtlMs = 1_000, maxEntries = 10_000, findTimeoutMs = 1_000 } = options;
  const clock = options.clock ?? systemClock;
  const known = new Map<string, Entry>();
  const unknown = new Map<string, number>();
  const lookups = new Map<string, Promise<ApiKey | undefined>>();

  /** One look-up of a hash at a time. */
  function look(hash: string): Promise<ApiKey | undefined> {
    const running = lookups.get(hash);
    if (running !== undefined) return running;
    if (lookups.size >= LOOKUPS_MAX) return Promise.reject(new Error("too many keys are being looked up"));
    const lookup = withTimeout(() => options.find(hash), findTimeoutMs).finally(() => lookups.delete(hash));
    lookups.set(hash, lookup);
    return lookup;
  }

  async function learn(hash: string): Promise<ApiKey | undefined> {
    const key = await look(hash).catch((error: unknown) => {
      throw refusal("SERVICE_UNAVAILABLE", "The key cannot be checked just now.", { cause: error });
    });
    const nowMs = clock.monotonicMs();
    if (key === undefined) remember(unknown, hash, nowMs, maxEntries);
    else remember(known, hash, { key, checkedAtMs: nowMs, refresh: undefined, isStale: false }, maxEntries);
    return key;
  }

  function refresh(hash: string, entry: Entry): Promise<void> {
    entry.refresh ??= look(hash)
      .then((key) => {
        entry.key = key;
        entry.isStale = false;
        if (key !== undefined) return;
        known.delete(hash);
        remember(unknown, hash, clock.monotonicMs(), maxEntries);
      })
      .catch((error: unknown) => {
        if (!entry.isStale) logger.warn({ err: error }, "a key cannot be checked; it goes on as it was");
        entry.isStale = true;
      })
      .finally(() => {
        entry.refresh = undefined;
        entry.checkedAtMs = clock.monotonicMs();
      });
    return entry.refresh;
  }

  return {
    find(key) {
      if (key.length > KEY_CHARACTERS_MAX) return undefined;
      const hash = hashApiKey(key);
      const entry = known.get(hash);
      if (entry !== undefined) {
        const ageMs = clock.monotonicMs() - entry.checkedAtMs;
        if (ageMs < ttlMs / 2) return usable(entry.key, clock);
        const refreshed = refresh(hash, entry);
        if (ageMs < ttlMs || entry.isStale) return usable(entry.key, clock);
        return refreshed.then(() => usable(entry.key, clock));
      }
      const missedAtMs = unknown.get(hash);
      if (missedAtMs !== undefined && clock.monotonicMs() - missedAtMs < negativeTtlMs) return undefined;
      return learn(hash).then((found) => usable(found, clock));
    },
  };
}

function usable(key: ApiKey | undefined, clock: Clock): ApiKey | undefined {
  return key?.expiresAtMs !== undefined && key.expiresAtMs <= clock.nowMs() ? undefined : key;
}

/** Bounded: the one that came first goes. */
function remember<Value>(map: Map<string, Value>, name: string, value: Value, max: number): void {
  map.delete(name);
  if (map.size >= max) {
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(name, value);
}
