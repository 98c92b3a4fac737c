import {
  type Cache,
  type Clock,
  createCache,
  hashApiKey,
  type Logger,
  systemClock,
  withTimeout,
} from "@headwater/kernel";
import { refusal } from "../answers/refusal.ts";
import type { Caller } from "./caller.ts";
import { createFirstLookups, type FindMany, type FirstLookups, oneByOne } from "./firstLookups.ts";

export interface KeyCacheOptions {
  /** Finds a key by its hash, with its account and settings; undefined when nobody may use it. */
  readonly find: (keyHash: string) => Promise<Caller | undefined>;
  /** The same for many hashes at once: keys that were not seen before are looked up by it. Default: `find`, one by one. */
  readonly findMany?: FindMany<Caller>;
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
   * Finds the owner of a key, at once for keys that are fresh. `address` is the client's: those that ask for keys nobody knows wait for each other,
   * and nobody else for them. @returns undefined for a key nobody knows.
   * @throws (rejects) 503 when the key was not seen before and the store is away: known keys go on as they were.
   */
  find(key: string, address?: string): Caller | undefined | Promise<Caller | undefined>;
  /** The key of this hash was revoked, replaced or changed: what is known of it is forgotten now. */
  changed(keyHash: string): void;
  /** Keys that were used at or after this wall-clock time, each with the last time, as far as they are still kept. */
  usedSince(ms: number): { readonly id: string; readonly usedAtMs: number }[];
}

interface Entry {
  key: Caller | undefined;
  /** Monotonic, as all times here: when the look-up began whose answer this is. What happened after it is not in it. */
  checkedAtMs: number;
  usedAtMs: number;
  refresh: Promise<void> | undefined;
  /** The last look-up failed: what is known is used while the next one runs. */
  isStale: boolean;
}

const KEY_CHARACTERS_MAX = 256;

/** Keeps keys by hash and refreshes them in the background at half of their time, so that a busy key never waits for the store. */
export function createKeyCache(options: KeyCacheOptions): KeyCache {
  return new StoreBackedKeys(options);
}

class StoreBackedKeys implements KeyCache {
  readonly #find: KeyCacheOptions["find"];
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #findTimeoutMs: number;
  /** Keys stay however old they are, for the time when the store is away: an entry says when it was checked. */
  readonly #known: Cache<string, Entry>;
  readonly #unknown: Cache<string, true>;
  readonly #running = new Map<string, Promise<Caller | undefined>>();
  readonly #firstLookups: FirstLookups<Caller>;

  constructor(options: KeyCacheOptions) {
    const { clock = systemClock, ttlMs = 1_000, negativeTtlMs = 1_000, findTimeoutMs = 1_000 } = options;
    const entriesMax = options.maxEntries ?? 10_000;
    this.#find = options.find;
    this.#logger = options.logger;
    this.#clock = clock;
    this.#ttlMs = ttlMs;
    this.#findTimeoutMs = findTimeoutMs;
    this.#known = createCache({ entriesMax, clock });
    this.#unknown = createCache({ ttlMs: negativeTtlMs, entriesMax, clock });
    const findMany = options.findMany ?? oneByOne(options.find);
    this.#firstLookups = createFirstLookups({ findMany, timeoutMs: findTimeoutMs });
  }

  find(key: string, address = ""): ReturnType<KeyCache["find"]> {
    if (key.length > KEY_CHARACTERS_MAX) return undefined;
    const hash = hashApiKey(key);
    const entry = this.#known.get(hash);
    if (entry !== undefined) return this.#fromEntry(hash, entry);
    if (this.#unknown.has(hash)) return undefined;
    return this.#learn(hash, address).then((found) => usable(found, this.#clock));
  }

  changed(hash: string): void {
    this.#known.delete(hash);
    this.#unknown.delete(hash);
    this.#running.delete(hash);
  }

  usedSince(ms: number): { readonly id: string; readonly usedAtMs: number }[] {
    const startMs = this.#clock.nowMs() - this.#clock.monotonicMs();
    return [...this.#known.values()].flatMap(({ key, usedAtMs }) => {
      const atMs = Math.round(startMs + usedAtMs);
      return key === undefined || atMs < ms ? [] : [{ id: key.id, usedAtMs: atMs }];
    });
  }

  #fromEntry(hash: string, entry: Entry): ReturnType<KeyCache["find"]> {
    const nowMs = this.#clock.monotonicMs();
    const ageMs = nowMs - entry.checkedAtMs;
    if (ageMs < this.#ttlMs / 2) return use(entry, nowMs, this.#clock);
    entry.refresh ??= this.#refresh(hash, entry);
    if (ageMs < this.#ttlMs || entry.isStale) return use(entry, nowMs, this.#clock);
    return entry.refresh.then(() => use(entry, nowMs, this.#clock));
  }

  /** One first look-up of a hash at a time. */
  #learn(hash: string, address: string): Promise<Caller | undefined> {
    const running = this.#running.get(hash);
    if (running !== undefined) return running;
    const lookup: Promise<Caller | undefined> = this.#firstLookup(
      hash,
      address,
      () => this.#running.get(hash) === lookup,
    ).finally(() => {
      if (this.#running.get(hash) === lookup) this.#running.delete(hash);
    });
    this.#running.set(hash, lookup);
    return lookup;
  }

  /** Remembers what is found unless `isCurrent` denies it: the key has changed meanwhile. */
  async #firstLookup(hash: string, address: string, isCurrent: () => boolean): Promise<Caller | undefined> {
    const checkedAtMs = this.#clock.monotonicMs();
    try {
      const key = await this.#firstLookups.find(hash, address);
      if (!isCurrent()) return key;
      if (key === undefined) this.#unknown.set(hash, true, { start: checkedAtMs });
      else this.#known.set(hash, newEntry(key, checkedAtMs));
      return key;
    } catch (error) {
      throw cannotCheck(error);
    }
  }

  async #refresh(hash: string, entry: Entry): Promise<void> {
    const beganAtMs = this.#clock.monotonicMs();
    try {
      entry.key = await withTimeout(() => this.#find(hash), this.#findTimeoutMs);
      entry.isStale = false;
    } catch (error) {
      if (!entry.isStale) this.#logger.warn({ err: error }, "key check failed; keeping the cached result");
      entry.isStale = true;
    }
    entry.refresh = undefined;
    // After a failure: the next one is tried as long after it as after a success.
    entry.checkedAtMs = entry.isStale ? this.#clock.monotonicMs() : beganAtMs;
    if (entry.key !== undefined || this.#known.get(hash) !== entry) return;
    this.#known.delete(hash);
    this.#unknown.set(hash, true, { start: beganAtMs });
  }
}

function newEntry(key: Caller, checkedAtMs: number): Entry {
  return { key, checkedAtMs, usedAtMs: checkedAtMs, refresh: undefined, isStale: false };
}

function use(entry: Entry, nowMs: number, clock: Clock): Caller | undefined {
  const key = usable(entry.key, clock);
  if (key !== undefined) entry.usedAtMs = nowMs;
  return key;
}

function cannotCheck(cause: unknown) {
  return refusal("SERVICE_UNAVAILABLE", "The API key cannot be verified right now. Retry later.", { cause });
}

function usable(key: Caller | undefined, clock: Clock): Caller | undefined {
  return key?.expiresAtMs !== undefined && key.expiresAtMs <= clock.nowMs() ? undefined : key;
}
