import fc from "fast-check";
import { expect, test } from "vitest";
import { createPartitionFeed, type LogFrame } from "./partitionFeed.ts";

function framesFrom(first: number, last: number): LogFrame[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
    offset: first + index,
    timeMs: 0,
    key: undefined,
    value: Buffer.alloc(10),
    headers: {},
  }));
}

const batch = (first: number, last: number) => ({ frames: framesFrom(first, last), highWatermark: 100 });
const offsets = (frames: readonly LogFrame[]) => frames.map(({ offset }) => offset);

test("frames below the position are dropped", () => {
  const feed = createPartitionFeed(5);
  expect(feed.offer(batch(3, 7))).toEqual({ kind: "taken", hasBegunBelow: true });
  expect(offsets(feed.peek(100, 1e6))).toEqual([5, 6, 7]);
});

test("a batch that begins above the position is refused whole, and the position sought", () => {
  const feed = createPartitionFeed(60);
  expect(feed.offer(batch(100, 140))).toEqual({ kind: "misfit", seekTo: 60 });
  expect(feed.peek(100, 1e6)).toEqual([]);
  expect(feed.position()).toBe(60);
});

test("a batch that ends below the position is refused, so that the position is sought again", () => {
  expect(createPartitionFeed(60).offer(batch(10, 20))).toEqual({ kind: "misfit", seekTo: 60 });
});

test("a batch that begins above what is queued is refused though the position was passed", () => {
  const feed = createPartitionFeed(0);
  feed.offer(batch(0, 4));
  expect(feed.offer(batch(6, 9))).toEqual({ kind: "misfit", seekTo: 5 });
  expect(feed.offer(batch(5, 9))).toEqual({ kind: "taken", hasBegunBelow: false });
});

test("frames are handed out again until the position moves past them", () => {
  const feed = createPartitionFeed(0);
  feed.offer(batch(0, 9));
  expect(offsets(feed.peek(4, 1e6))).toEqual([0, 1, 2, 3]);
  expect(offsets(feed.peek(4, 1e6))).toEqual([0, 1, 2, 3]);
  feed.advance(2);
  expect(offsets(feed.peek(4, 1e6))).toEqual([2, 3, 4, 5]);
});

test("at least one frame is handed out, however large it is", () => {
  const feed = createPartitionFeed(0);
  feed.offer(batch(0, 1));
  expect(offsets(feed.peek(10, 1))).toEqual([0]);
});

test("a batch that does nothing or more than there is is a bug", () => {
  const feed = createPartitionFeed(0);
  feed.offer(batch(0, 3));
  expect(() => feed.advance(0)).toThrow("cannot end at 0");
  expect(() => feed.advance(5)).toThrow("cannot end at 5");
  feed.advance(4);
  expect(feed.queuedBytes()).toBe(0);
});

test("a move inside of what is queued keeps the rest; a move elsewhere drops it and seeks", () => {
  const feed = createPartitionFeed(0);
  feed.offer(batch(0, 9));
  expect(feed.moveTo(3)).toEqual({ kind: "kept" });
  expect(offsets(feed.peek(2, 1e6))).toEqual([3, 4]);
  expect(feed.moveTo(1)).toEqual({ kind: "seek", seekTo: 1 });
  expect(feed.peek(2, 1e6)).toEqual([]);
  expect(feed.moveTo(50)).toEqual({ kind: "seek", seekTo: 50 });
  expect(feed.position()).toBe(50);
});

test("an empty batch changes nothing but what is known of the log's end", () => {
  const feed = createPartitionFeed(7);
  expect(feed.offer({ frames: [], highWatermark: 7 })).toEqual({ kind: "taken", hasBegunBelow: false });
  expect([feed.position(), feed.highWatermark()]).toEqual([7, 7]);
});

test("law: whatever the source delivers, every offset is worked off once and in order", () => {
  const step = fc.record({
    from: fc.nat(40),
    length: fc.integer({ min: 1, max: 12 }),
    done: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(
    fc.property(fc.nat(20), fc.array(step, { maxLength: 60 }), (start, steps) => {
      const feed = createPartitionFeed(start);
      const worked: number[] = [];
      for (const { from, length, done } of steps) {
        feed.offer(batch(from, from + length - 1));
        const frames = feed.peek(done, 1e6);
        const last = frames[frames.length - 1];
        if (last !== undefined) {
          worked.push(...offsets(frames));
          feed.advance(last.offset + 1);
        }
      }
      expect(worked).toEqual(Array.from({ length: worked.length }, (_, index) => start + index));
      expect(feed.position()).toBe(start + worked.length);
    }),
  );
});
