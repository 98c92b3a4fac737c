import { createRequire } from "node:module";

/** The part of kafkajs' request queue that is guarded. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  /** Milliseconds since 1970 until which the broker asked us to be quiet; -1 when it did not. */
  readonly throttledUntil: number;
}

interface RequestQueuePrototype {
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
}

/**
 * Stops the idle timer of kafkajs 2.2.4, once per process.
 *
 * Its request queue arms a timer after every answer, also when nothing waits: the delay is then `-1 - Date.now()`, which
 * Node turns into 1 ms (and, newer Nodes warn about as `TimeoutNegativeWarning`). When it fires it arms itself
 * again, so each connection wakes the process a thousand times a second for nothing. The guard lets the timer be armed
 * only when a request waits or the broker throttles, which are the two cases the timer is for.
 * @throws Error when kafkajs is no longer built as this expects; its version is pinned.
 */
export function guardIdleTimer(): void {
  const prototype = requestQueuePrototype();
  const original = prototype.scheduleCheckPendingRequests;
  if (original.name === "scheduleOnlyWhenSomethingWaits") {
    return;
  }
  prototype.scheduleCheckPendingRequests = function scheduleOnlyWhenSomethingWaits(this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) {
      original.call(this);
    }
  };
}

function requestQueuePrototype(): RequestQueuePrototype {
  const RequestQueueClass: unknown = createRequire(import.meta.url)("kafkajs/src/network/requestQueue");
  const prototype: unknown = typeof RequestQueueClass === "function" ? RequestQueueClass.prototype : undefined;
  if (!isRequestQueuePrototype(prototype)) {
    throw new Error("kafkajs has another request queue than 2.2.4: look again at the idle timer guard");
  }
  return prototype;
}

function isRequestQueuePrototype(value: unknown): value is RequestQueuePrototype {
  return (
    typeof value === "object" &&
    value !== null &&
    "scheduleCheckPendingRequests" in value &&
    typeof value.scheduleCheckPendingRequests === "function"
  );
}
