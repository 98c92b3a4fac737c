import { LRUCache } from "lru-cache";
import type { Clock } from "./clock.ts";

export interface CacheOptions {
  /** Milliseconds for which an entry is fresh. Default: for ever. */
  readonly ttlMs?: number;
  /** Entries kept at most: the one that was not asked for for longest goes. */
  readonly entriesMax: number;
  readonly clock: Pick<Clock, "monotonicMs">;
}

export type Cache<Key extends string | number, Value extends object | string | true> = LRUCache<Key, Value>;

/**
 * Creates a bounded cache. `get` returns fresh entries; with `allowStale` also old ones, to go on with while their store is away. `set` takes as
 * `start` when a value was true (monotonic), if that was before now: when its look-up began.
 */
export function createCache<Key extends string | number, Value extends object | string | true>({
  ttlMs: ttl,
  entriesMax,
  clock,
}: CacheOptions): Cache<Key, Value> {
  const timed = { ttlResolution: 0, noDeleteOnStaleGet: true, perf: { now: () => clock.monotonicMs() } };
  return new LRUCache({ max: entriesMax, ...(ttl !== undefined && { ttl, ...timed }) });
}
