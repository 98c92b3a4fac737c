import fc from "fast-check";
import { expect, test } from "vitest";
import { type Caps, isCapped, longestCapMs } from "./caps.ts";

const DAY_MS = 86_400_000;
const twoADay: Caps = [{ channel: "email", count: 2, per: { n: 1, unit: "day" } }];
const email = (intendedAt: number) => ({ channel: "email", intendedAt });

test("a contact is capped by as many sends as its window allows, and free again when one leaves the window", () => {
  const nowMs = 10 * DAY_MS;
  const asked = { channel: "email", nowMs };
  expect(isCapped(twoADay, [email(nowMs)], asked)).toBe(false);
  expect(isCapped(twoADay, [email(nowMs), email(nowMs - DAY_MS + 1)], asked)).toBe(true);
  expect(isCapped(twoADay, [email(nowMs), email(nowMs - DAY_MS)], asked)).toBe(false);
});

test("caps count their own channel alone", () => {
  const counted = [email(1), email(2)];
  expect(isCapped(twoADay, counted, { channel: "sms", nowMs: 3 })).toBe(false);
  expect(isCapped(twoADay, [email(1), { channel: "sms", intendedAt: 2 }], { channel: "email", nowMs: 3 })).toBe(false);
});

test("the longest window says how far back to look", () => {
  expect(longestCapMs([])).toBe(0);
  expect(longestCapMs([...twoADay, { channel: "sms", count: 1, per: { n: 2, unit: "week" } }])).toBe(14 * DAY_MS);
});

test("whoever asks before each send never exceeds any cap in any window", () => {
  const cap = fc.record({
    channel: fc.constant("email"),
    count: fc.integer({ min: 1, max: 4 }),
    per: fc.record({ n: fc.integer({ min: 1, max: 3 }), unit: fc.constantFrom("minute" as const, "hour" as const) }),
  });
  const pauses = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.array(cap, { minLength: 1, maxLength: 3 }), pauses, (caps, steps) => {
      const sent: { channel: string; intendedAt: number }[] = [];
      let nowMs = 0;
      for (const step of steps) {
        nowMs += step;
        if (!isCapped(caps, sent, { channel: "email", nowMs })) sent.push(email(nowMs));
      }
      for (const one of caps) {
        const length = longestCapMs([one]);
        for (const { intendedAt: to } of sent) {
          const within = sent.filter(({ intendedAt }) => intendedAt <= to && intendedAt > to - length);
          expect(within.length).toBeLessThanOrEqual(one.count);
        }
      }
    }),
  );
});
