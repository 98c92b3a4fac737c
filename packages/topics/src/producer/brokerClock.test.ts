import { createLogger, manualClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createBrokerClock } from "./brokerClock.ts";

const HOUR_MS = 3_600_000;

function watched() {
  const lines: string[] = [];
  const seen: number[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ name: "clocks", level: "info", destination: stream });
  const clock = manualClock(1_000_000);
  const broker = createBrokerClock({ clock, logger, observer: { brokerClock: (ms) => void seen.push(ms) } });
  /** Sends for so long; the broker's clock is ahead by so much when it appends half-way. */
  const send = (tookMs: number, aheadMs: number) => {
    const answered = broker.begin();
    const timeMs = clock.nowMs() + tookMs / 2 + aheadMs;
    clock.advance(tookMs);
    answered([{ kind: "written", message, offset: 0, timeMs }]);
  };
  const levels = () => lines.map((line) => String(JSON.parse(line).level));
  return { broker, clock, send, seen, levels };
}
const content = { kind: "raw", message: { topic: "t", partition: 0, key: "k", value: Buffer.alloc(0) } } as const;
const message = { topic: "t", partition: 0, batchedAtMs: 0, content, parts: [], bytes: 0 };

test("a broker that is slow, or a second apart, raises no alarm", () => {
  const { send, levels, seen } = watched();
  for (const ahead of [0, 900, -900]) send(10, ahead);
  send(30_000, 0);
  expect(levels()).toEqual([]);
  expect(seen.at(-1)).toBe(0);
});

test.each([HOUR_MS, -HOUR_MS])(
  "a broker whose clock is off by %i ms raises an alarm once a minute until it is right",
  (off) => {
    const { send, clock, levels, seen } = watched();
    for (let count = 0; count < 5; count++) send(10, off);
    expect(levels()).toEqual(["error"]);
    expect(Math.abs(seen[0] ?? 0)).toBeGreaterThan(HOUR_MS - 100);
    clock.advance(60_000);
    send(10, off);
    send(10, 0);
    send(10, 0);
    expect(levels()).toEqual(["error", "error", "info"]);
  },
);

test("partitions without an append time say nothing of clocks", () => {
  const { broker, seen } = watched();
  broker.begin()([
    { kind: "written", message, offset: 0, timeMs: undefined },
    { kind: "unanswered", message, reason: "the partition is not in the answer" },
  ]);
  expect(seen).toEqual([]);
});
