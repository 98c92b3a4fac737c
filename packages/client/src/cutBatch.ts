export interface BatchLimits {
  readonly items: number;
  /** Size of the items' JSON. */
  readonly bytes: number;
}

export interface Sized {
  readonly bytes: number;
}

/** The longest beginning of what waits that keeps within the limits; the first one even when it alone is over them. */
export function cutBatch<Item extends Sized>(waiting: Iterable<Item>, limits: BatchLimits): Item[] {
  const batch: Item[] = [];
  let bytes = 0;
  for (const item of waiting) {
    if (batch.length === limits.items) break;
    if (batch.length > 0 && bytes + item.bytes > limits.bytes) break;
    batch.push(item);
    bytes += item.bytes;
  }
  return batch;
}

export interface Waiting {
  readonly items: number;
  readonly bytes: number;
  /** Arrival of the oldest, in milliseconds of any clock. */
  readonly sinceMs: number;
}

/**
 * Returns in how many milliseconds a batch of the waiting items is due; 0 = now. A full one is due at once, any other after the linger.
 */
export function dueInMs(waiting: Waiting, limits: BatchLimits & { readonly lingerMs: number }, nowMs: number): number {
  if (waiting.items >= limits.items || waiting.bytes >= limits.bytes) return 0;
  return Math.max(0, waiting.sinceMs + limits.lingerMs - nowMs);
}
