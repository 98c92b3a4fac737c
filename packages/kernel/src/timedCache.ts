import type { Clock } from "./clock.ts";

export interface TimedCacheOptions {
  /** An entry older than this is loaded again, milliseconds. */
  readonly ttlMs: number;
  /** With more the oldest entry goes. */
  readonly entriesMax: number;
  readonly clock: Pick<Clock, "monotonicMs">;
}

export interface TimedCache<Key, Value> {
  /** The value while it is fresh; undefined afterwards. */
  fresh(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

/** A bounded map whose entries count for a time. */
export function createTimedCache<Key, Value>({ ttlMs, entriesMax, clock }: TimedCacheOptions): TimedCache<Key, Value> {
  const entries = new Map<Key, { readonly value: Value; readonly setAtMs: number }>();
  return {
    fresh(key) {
      const entry = entries.get(key);
      return entry !== undefined && clock.monotonicMs() - entry.setAtMs < ttlMs ? entry.value : undefined;
    },
    set(key, value) {
      entries.delete(key);
      const [oldest] = entries.keys();
      if (entries.size >= entriesMax && oldest !== undefined) entries.delete(oldest);
      entries.set(key, { value, setAtMs: clock.monotonicMs() });
    },
    delete: (key) => void entries.delete(key),
  };
}
