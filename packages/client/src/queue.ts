import type { Entry } from "./deliver.ts";

export interface QueueOptions {
  readonly limits: BatchLimits & { readonly lingerMs: number };
  /** Batches under way at the same time. */
  readonly requestsInFlightMax: number;
  /** Resolves every entry; never rejects. */
  readonly deliver: (batch: readonly Entry[]) => Promise<void>;
}

/** Items of one operation on their way, in the order in which they came. */
export interface Queue {
  add(entry: Entry): void;
  /** Takes an entry that is in no batch yet out again. @returns false when it is under way. */
  remove(entry: Entry): boolean;
  /** All that waits goes as soon as it may, without lingering. */
  flush(): void;
  /** Takes out all that is in no batch yet. */
  abandon(): readonly Entry[];
  requestsInFlight(): number;
}

export function createQueue({ limits, requestsInFlightMax, deliver }: QueueOptions): Queue {
  /** Entries with the time at which each came. */
  const waiting = new Map<Entry, number>();
  let waitingBytes = 0;
  let inFlight = 0;
  let isFlushing = false;
  let timer: NodeJS.Timeout | undefined;

  const takeOut = (entry: Entry) => {
    if (!waiting.delete(entry)) return false;
    waitingBytes -= entry.bytes;
    return true;
  };
  const waitMs = () => {
    const [sinceMs = 0] = waiting.values();
    return isFlushing ? 0 : dueInMs({ items: waiting.size, bytes: waitingBytes, sinceMs }, limits, performance.now());
  };
  const start = () => {
    const batch = cutBatch(waiting.keys(), limits);
    batch.forEach(takeOut);
    inFlight += 1;
    void deliver(batch).finally(() => {
      inFlight -= 1;
      pump();
    });
  };
  const pump = () => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.size > 0 && inFlight < requestsInFlightMax) {
      const ms = waitMs();
      if (ms > 0) {
        // Rounded up: a timer may fire a little early.
        timer = setTimeout(pump, Math.ceil(ms));
        return;
      }
      start();
    }
    if (waiting.size === 0) isFlushing = false;
  };

  return {
    add(entry) {
      waiting.set(entry, performance.now());
      waitingBytes += entry.bytes;
      if (timer === undefined || waiting.size >= limits.items || waitingBytes >= limits.bytes) pump();
    },
    remove: takeOut,
    flush() {
      isFlushing = true;
      pump();
    },
    abandon() {
      clearTimeout(timer);
      const entries = [...waiting.keys()];
      entries.forEach(takeOut);
      return entries;
    },
    requestsInFlight: () => inFlight,
  };
}

interface BatchLimits {
  readonly items: number;
  /** Size of the items' JSON. */
  readonly bytes: number;
}

interface Sized {
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

interface Waiting {
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
