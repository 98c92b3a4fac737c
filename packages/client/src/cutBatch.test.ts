import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutBatch, dueInMs } from "./queue.ts";

const limits = fc.record({ items: fc.integer({ min: 1, max: 20 }), bytes: fc.integer({ min: 1, max: 500 }) });
const waiting = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 300 }) }), { maxLength: 60 });
const bytesOf = (items: readonly { bytes: number }[]) => items.reduce((sum, { bytes }) => sum + bytes, 0);

describe("batches cut one after another", () => {
  test("hold every item once, in order", () => {
    fc.assert(
      fc.property(waiting, limits, (items, within) => {
        const cut: object[] = [];
        for (let rest = items; rest.length > 0; ) {
          const batch = cutBatch(rest, within);
          expect(batch.length).toBeGreaterThan(0);
          cut.push(...batch);
          rest = rest.slice(batch.length);
        }
        expect(cut).toEqual(items);
      }),
    );
  });

  test("keep within the limits, but for one item that alone is over them, and are as large as may be", () => {
    fc.assert(
      fc.property(waiting, limits, (items, within) => {
        const batch = cutBatch(items, within);
        expect(batch.length).toBeLessThanOrEqual(within.items);
        if (batch.length > 1) expect(bytesOf(batch)).toBeLessThanOrEqual(within.bytes);
        const next = items[batch.length];
        if (next === undefined) return;
        expect(batch.length === within.items || bytesOf(batch) + next.bytes > within.bytes).toBe(true);
      }),
    );
  });
});

test("a full batch is due at once, any other when its oldest item has waited for the linger", () => {
  const within = { items: 3, bytes: 100, lingerMs: 10 };
  expect(dueInMs({ items: 3, bytes: 5, sinceMs: 1_000 }, within, 1_000)).toBe(0);
  expect(dueInMs({ items: 1, bytes: 100, sinceMs: 1_000 }, within, 1_000)).toBe(0);
  expect(dueInMs({ items: 2, bytes: 5, sinceMs: 1_000 }, within, 1_004)).toBe(6);
  expect(dueInMs({ items: 2, bytes: 5, sinceMs: 1_000 }, within, 5_000)).toBe(0);
});
