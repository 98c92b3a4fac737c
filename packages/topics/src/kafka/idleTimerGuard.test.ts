import { createRequire } from "node:module";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { guardIdleTimer } from "./kafkaClient.ts";

interface Queue {
  scheduleCheckPendingRequests(): void;
  pending: unknown[];
  throttledUntil: number;
}

/** A request queue of kafkajs itself, as each of its connections has one. */
function requestQueue(): Queue {
  const RequestQueue = createRequire(import.meta.url)("kafkajs/src/network/requestQueue");
  const logger = { debug: () => undefined, warn: () => undefined };
  return new RequestQueue({ maxInFlightRequests: 1, requestTimeout: 1_000, clientId: "c", broker: "b", logger });
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("an empty queue wakes up again and again without the guard, and never with it", () => {
  const unguarded = requestQueue();
  unguarded.scheduleCheckPendingRequests();
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(1);
  vi.clearAllTimers();

  guardIdleTimer();
  guardIdleTimer();
  requestQueue().scheduleCheckPendingRequests();
  expect(vi.getTimerCount()).toBe(0);
});

test("a queue that is throttled or holds requests back still looks again when it is time", () => {
  guardIdleTimer();
  const throttled = requestQueue();
  throttled.throttledUntil = Date.now() + 500;
  throttled.scheduleCheckPendingRequests();
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(501);
  expect(vi.getTimerCount()).toBe(0);
});
