import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createItemBuffer } from "./itemBuffer.ts";

const limits = { items: 2, bytes: 100, waiting: 3 };
/** Lets what was resolved be heard. */
const complete = () => new Promise((resolve) => setImmediate(resolve));

describe("a full buffer", () => {
  test("refuses who will not wait, and lets others wait in the order in which they came", async () => {
    const buffer = createItemBuffer(limits);
    expect([buffer.take(60), buffer.tryTake(50), buffer.tryTake(40)]).toEqual([undefined, false, true]);
    const taken: string[] = [];
    const large = buffer.take(90)?.then(() => taken.push("large"));
    const small = buffer.take(1)?.then(() => taken.push("small"));
    expect(buffer.held()).toEqual({ items: 2, bytes: 100, waiting: 2 });
    buffer.release(40);
    await complete();
    expect([taken, buffer.tryTake(1)]).toEqual([[], false]);
    buffer.release(60);
    await Promise.all([large, small]);
    expect([taken, buffer.held()]).toEqual([["large", "small"], { items: 2, bytes: 91, waiting: 0 }]);
  });

  test("lets no more wait than may", () => {
    const buffer = createItemBuffer({ ...limits, waiting: 0 });
    buffer.tryTake(100);
    expect(() => buffer.take(1)).toThrow(expect.objectContaining({ kind: "full", code: "BUFFER_FULL" }));
    expect(() => buffer.room()).toThrow(expect.objectContaining({ kind: "full" }));
  });

  test("reports room without taking it", async () => {
    const buffer = createItemBuffer(limits);
    expect(buffer.room()).toBeUndefined();
    buffer.tryTake(100);
    const capacity = buffer.room();
    buffer.release(100);
    await capacity;
    expect(buffer.held()).toEqual({ items: 0, bytes: 0, waiting: 0 });
  });

  test("forgets one who gave up waiting, and goes on with the next", async () => {
    const buffer = createItemBuffer(limits);
    buffer.tryTake(100);
    const giving = new AbortController();
    const gaveUp = buffer.take(100, giving.signal);
    const next = buffer.take(1);
    giving.abort(new Error("enough"));
    await expect(gaveUp).rejects.toThrow("enough");
    buffer.release(100);
    await next;
    expect(buffer.held()).toEqual({ items: 1, bytes: 1, waiting: 0 });
  });

  test("at its end refuses all that wait", async () => {
    const buffer = createItemBuffer(limits);
    buffer.tryTake(100);
    const waiting = [buffer.take(1), buffer.room()].map((promise) => expect(promise).rejects.toThrow("the end"));
    buffer.end(new Error("the end"));
    await Promise.all(waiting);
    expect(buffer.held().waiting).toBe(0);
  });
});

test("law: it never holds more than its limits, whoever comes, waits and leaves, and everybody gets in at last", async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(sizes, async (bytesOfEach) => {
      const buffer = createItemBuffer({ items: 3, bytes: 100, waiting: 40 });
      const inside: number[] = [];
      const arrivals = bytesOfEach.map(async (bytes) => {
        await buffer.take(bytes);
        inside.push(bytes);
      });
      for (let left = 0; left < bytesOfEach.length; left++) {
        const { items, bytes } = buffer.held();
        expect(items).toBeLessThanOrEqual(3);
        expect(bytes).toBeLessThanOrEqual(100);
        for (let turns = 0; turns < 10 && inside.length === 0; turns++) await Promise.resolve();
        buffer.release(inside.shift() ?? Number.NaN);
      }
      await Promise.all(arrivals);
      expect(buffer.held()).toEqual({ items: 0, bytes: 0, waiting: 0 });
    }),
  );
});
