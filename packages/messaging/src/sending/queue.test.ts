import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WINDOW_SENDS_MAX } from "./ports.ts";
import { Queue } from "./queue.ts";
import { Queues } from "./queues.ts";

const never = new AbortController().signal;
const message = { account: 1, message: "m" };

describe("a lane", () => {
  test("never has more intents without an outcome than a window has sends, and comes to the end of every window", async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: WINDOW_SENDS_MAX }), { minLength: 1, maxLength: 8 });
    const answers = fc.infiniteStream(fc.integer({ min: 1, max: 60 }));
    await fc.assert(
      fc.asyncProperty(sizes, answers, async (windows, answered) => {
        const queue = new Queue(() => undefined);
        let [open, most, created] = [0, 0, 0];
        const answer = () => {
          const some = Math.min(open, answered.next().value ?? 1);
          open -= some;
          queue.free(some);
        };
        for (const size of windows) {
          for (let left = size; left > 0; ) {
            const answering = setInterval(answer, 0);
            const capacity = await queue.room(left, never);
            clearInterval(answering);
            queue.take(capacity);
            open += capacity;
            created += capacity;
            left -= capacity;
            most = Math.max(most, open);
          }
        }
        expect(most).toBeLessThanOrEqual(WINDOW_SENDS_MAX);
        expect(created).toBe(windows.reduce((sum, size) => sum + size, 0));
      }),
      { numRuns: 30 },
    );
  });

  test("gives no room to a window whose time is over, and the whole to the next one", async () => {
    const lane = new Queue(() => undefined);
    lane.take(WINDOW_SENDS_MAX);
    const over = new AbortController();
    const waiting = lane.room(10, over.signal);
    over.abort();
    expect(await waiting).toBe(0);
    lane.free(WINDOW_SENDS_MAX);
    expect(await lane.room(WINDOW_SENDS_MAX, never)).toBe(WINDOW_SENDS_MAX);
  });

  test("takes a next window while one is handed over, once the server has answered something", () => {
    const lane = new Queue(() => undefined);
    const prepared = lane.begin();
    expect(lane.isBusy).toBe(true);
    lane.take(20);
    prepared();
    expect(lane.isBusy).toBe(true);
    lane.answered();
    expect(lane.isBusy).toBe(false);
    lane.begin();
    prepared();
    lane.answered();
    expect(lane.isBusy).toBe(true);
  });
});

test("lanes know the messages of busy ones alone, and are gone with their last window", async () => {
  const queues = new Queues(4);
  const end = Promise.withResolvers<void>();
  const changed = queues.next();
  const running = queues.run({ account: 1, name: "a", messages: [message] }, async (lane, prepared) => {
    lane.take(2);
    prepared();
    await end.promise;
  });
  expect(queues.messages).toEqual([message]);
  await changed;
  const ended = queues.next();
  end.resolve();
  await Promise.all([running, ended]);
  expect([queues.size, queues.messages]).toEqual([0, []]);
});

test("an account opens as many lanes as it leaves free, and the next account finds one", async () => {
  const lanes = new Queues(64);
  const end = Promise.withResolvers<void>();
  const openAll = (account: number) => {
    for (let n = 0; n < 100 && lanes.admits(account, `${account} ${n}`); n++) {
      void lanes.run({ account, name: `${account} ${n}`, messages: [] }, () => end.promise);
    }
  };
  openAll(1);
  expect([lanes.size, [...lanes.fullAccounts]]).toEqual([32, [1]]);
  expect(lanes.admits(1, "1 0")).toBe(true);
  for (const account of [2, 3, 4, 5, 6, 7]) {
    expect(lanes.admits(account, "first")).toBe(true);
    openAll(account);
  }
  expect(lanes.size).toBe(64);
  end.resolve();
  await lanes.empty();
  expect([lanes.size, lanes.fullAccounts.size]).toEqual([0, 0]);
});
