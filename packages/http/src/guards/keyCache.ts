import type { Account } from "@headwater/contracts";
import { type Clock, hashApiKey, type Logger, systemClock, withTimeout } from "@headwater/kernel";
import { refusal } from "../answers/refusal.ts";
import { createFirstLookups, type FindMany, oneByOne } from "./firstLookups.ts";

/** An API key that is valid now: not revoked, of an account that is there. */
export interface ApiKey {
  readonly id: string;
  readonly account: Account;
  readonly scopes: readonly string[];
  /** Addresses and ranges (CIDR) it may be used from; absent = any. */
  readonly allowIps?: readonly string[];
  readonly expiresAtMs?: number;
}

export interface KeyCacheOptions {
  /** Looks a key up by its hash, with its account and settings; undefined when nobody may use it. */
  readonly find: (keyHash: string) => Promise<ApiKey | undefined>;
  /** The same for many hashes at once: keys that were not seen before are looked up by it. Default: `find`, one by one. */
  readonly findMany?: FindMany<ApiKey>;
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
   * At once for keys that are fresh. `address` is the client's: those that ask for keys nobody knows wait for each other, and
   * nobody else for them. @returns undefined for a key nobody knows.
   * @throws (rejects) 503 when the key was not seen before and the store is away: known keys go on as they were.
   */
  find(key: string, address?: string): ApiKey | undefined | Promise<ApiKey | undefined>;
  /** The key of this hash was revoked, replaced or changed: what is known of it is forgotten now. */
  changed(keyHash: string): void;
  /** Keys that were used at or after this wall-clock time, each with the last time, as far as they are still kept. */
  usedSince(ms: number): { readonly id: string; readonly usedAtMs: number }[];
}

interface Entry {
  key: ApiKey | undefined;
  /** Monotonic, as all times here: when the look-up began whose answer this is. What happened after it is not in it. */
  checkedAtMs: number;
  usedAtMs: number;
  refresh: Promise<void> | undefined;
  /** The last look-up failed: what is known is used while the next one runs. */
  isStale: boolean;
}

const KEY_CHARACTERS_MAX = 256;

/** Keys by hash, refreshed in the background at half of their time, so that a busy key never waits for the store. */
export function createKeyCache(options: KeyCacheOptions): KeyCache {
  const { logger, ttlMs = 1_000, negativeTtlMs = 1_000, maxEntries = 10_000, findTimeoutMs = 1_000 } = options;
  const clock = options.clock ?? systemClock;
  const known = new Map<string, Entry>();
  const unknown = new Map<string, number>();
  const firstLookups = new Map<string, Promise<ApiKey | undefined>>();
  const lookUp = (hash: string) => withTimeout(() => options.find(hash), findTimeoutMs);
  const findMany = options.findMany ?? oneByOne(options.find);
  const first = createFirstLookups({ findMany, timeoutMs: findTimeoutMs });

  /** One first look-up of a hash at a time. */
  function learn(hash: string, address: string): Promise<ApiKey | undefined> {
    const running = firstLookups.get(hash);
    if (running !== undefined) return running;
    const checkedAtMs = clock.monotonicMs();
    const lookup = first
      .find(hash, address)
      .then((key) => {
        // Whoever removed it from here knows that the key has changed meanwhile.
        if (firstLookups.get(hash) !== lookup) return key;
        if (key === undefined) remember(unknown, hash, checkedAtMs, maxEntries);
        else remember(known, hash, newEntry(key, checkedAtMs), maxEntries);
        return key;
      })
      .catch((error: unknown) => {
        throw cannotCheck(error);
      })
      .finally(() => firstLookups.get(hash) === lookup && firstLookups.delete(hash));
    firstLookups.set(hash, lookup);
    return lookup;
  }

  async function refresh(hash: string, entry: Entry): Promise<void> {
    const beganAtMs = clock.monotonicMs();
    try {
      entry.key = await lookUp(hash);
      entry.isStale = false;
    } catch (error) {
      if (!entry.isStale) logger.warn({ err: error }, "key check failed; keeping the cached result");
      entry.isStale = true;
    }
    entry.refresh = undefined;
    // After a failure: the next one is tried as long after it as after a success.
    entry.checkedAtMs = entry.isStale ? clock.monotonicMs() : beganAtMs;
    if (entry.key !== undefined || known.get(hash) !== entry) return;
    known.delete(hash);
    remember(unknown, hash, beganAtMs, maxEntries);
  }

  function fromEntry(hash: string, entry: Entry): ApiKey | undefined | Promise<ApiKey | undefined> {
    const nowMs = clock.monotonicMs();
    const ageMs = nowMs - entry.checkedAtMs;
    if (ageMs < ttlMs / 2) return use(entry, nowMs, clock);
    entry.refresh ??= refresh(hash, entry);
    if (ageMs < ttlMs || entry.isStale) return use(entry, nowMs, clock);
    return entry.refresh.then(() => use(entry, nowMs, clock));
  }

  return {
    find(key, address = "") {
      if (key.length > KEY_CHARACTERS_MAX) return undefined;
      const hash = hashApiKey(key);
      const entry = known.get(hash);
      if (entry !== undefined) return fromEntry(hash, entry);
      const missedAtMs = unknown.get(hash);
      if (missedAtMs !== undefined && clock.monotonicMs() - missedAtMs < negativeTtlMs) return undefined;
      return learn(hash, address).then((found) => usable(found, clock));
    },
    changed(hash) {
      known.delete(hash);
      unknown.delete(hash);
      firstLookups.delete(hash);
    },
    usedSince(ms) {
      const startMs = clock.nowMs() - clock.monotonicMs();
      return [...known.values()].flatMap(({ key, usedAtMs }) => {
        const atMs = Math.round(startMs + usedAtMs);
        return key === undefined || atMs < ms ? [] : [{ id: key.id, usedAtMs: atMs }];
      });
    },
  };
}

function newEntry(key: ApiKey, checkedAtMs: number): Entry {
  return { key, checkedAtMs, usedAtMs: checkedAtMs, refresh: undefined, isStale: false };
}

function use(entry: Entry, nowMs: number, clock: Clock): ApiKey | undefined {
  const key = usable(entry.key, clock);
  if (key !== undefined) entry.usedAtMs = nowMs;
  return key;
}

function cannotCheck(cause: unknown) {
  return refusal("SERVICE_UNAVAILABLE", "The API key cannot be verified right now. Retry later.", { cause });
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
