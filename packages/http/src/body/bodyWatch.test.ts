import { manualClock } from "@headwater/kernel";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBodyWatch } from "./bodyWatch.ts";

const options = { bodyTimeoutMs: 60_000, windowMs: 10_000, bytesPerSecondMin: 1_024, checkEveryMs: 250 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watchOne() {
  const clock = manualClock();
  const watch = createBodyWatch({ clock, ...options });
  const body = { receivedBytes: () => 0, tooSlow: vi.fn() };
  watch.add(body);
  /** The timer fires once, when so much time has gone by. */
  const check = (afterMs: number) => {
    clock.advance(afterMs);
    vi.advanceTimersByTime(options.checkEveryMs);
  };
  return { body, watch, check };
}

test("a body that brings nothing for a window is too slow", () => {
  const { body, check, watch } = watchOne();
  for (let checks = 0; checks < 39; checks += 1) check(250);
  expect(body.tooSlow).not.toHaveBeenCalled();
  check(250);
  expect(body.tooSlow).toHaveBeenCalledOnce();
  watch.stop();
});

test("time in which the process was too busy to read does not count", () => {
  const { body, check, watch } = watchOne();
  // The event loop is held for 2 s between checks: a quarter second of each is the client's.
  for (let checks = 0; checks < 39; checks += 1) check(2_000);
  expect(body.tooSlow).not.toHaveBeenCalled();
  check(2_000);
  expect(body.tooSlow).toHaveBeenCalledOnce();
  watch.stop();
});
