import type { Clock } from "./clock.ts";

export interface TimedCacheOptions {
  /** Milliseconds for which an entry is fresh. */
  readonly ttlMs: number;
  /** Entries kept at most: the one that was set first goes. */
  readonly entriesMax: number;
  readonly clock: Pick<Clock, "monotonicMs">;
}

export interface TimedCache<Key, Value> {
  /** Returns the value while it is fresh; undefined afterwards. */
  fresh(key: Key): Value | undefined;
  /** Returns the value however old it is: to go on with while its store is away. */
  last(key: Key): Value | undefined;
  /** Keeps a value. `sinceMs` (monotonic) is when it was true, if that was before now: the start of its look-up. */
  set(key: Key, value: Value, sinceMs?: number): void;
  delete(key: Key): void;
  /** Returns all values, however old they are. */
  values(): Iterable<Value>;
}

interface Entry<Value> {
  readonly value: Value;
  readonly sinceMs: number;
}

/** The one cache in memory: a bounded map whose entries are fresh for a time. */
export function createTimedCache<Key, Value>({ ttlMs, entriesMax, clock }: TimedCacheOptions): TimedCache<Key, Value> {
  const entries = new Map<Key, Entry<Value>>();
  return {
    fresh(key) {
      const entry = entries.get(key);
      return entry !== undefined && clock.monotonicMs() - entry.sinceMs < ttlMs ? entry.value : undefined;
    },
    last: (key) => entries.get(key)?.value,
    set(key, value, sinceMs = clock.monotonicMs()) {
      entries.delete(key);
      if (entries.size >= entriesMax) dropFirst(entries);
      entries.set(key, { value, sinceMs });
    },
    delete: (key) => void entries.delete(key),
    *values() {
      for (const { value } of entries.values()) yield value;
    },
  };
}

function dropFirst<Key>(entries: Map<Key, unknown>): void {
  for (const key of entries.keys()) {
    entries.delete(key);
    return;
  }
}
