import { createLogger, createMetrics } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createEventQueue } from "./eventQueue.ts";
import type { MessageEvent } from "./messageEvent.ts";

const open = (accountId: string): MessageEvent => ({
  ...{ name: "open", requestId: "r", atMs: 0 },
  token: {
    ...{ kind: "open", type: "b", account: 1, contact: 1, n: 1, message: "m" },
    names: { accountId, cID: "c", channel: "email", composedAt: 0 },
  },
});

test("the events of one account that fill the queue while the log is away lose none of another's", async () => {
  const metrics = createMetrics({ processMetrics: false });
  const written: number[] = [];
  const logger = createLogger({ name: "test", level: "silent" });
  const queue = createEventQueue({
    producer: {
      append: async ({ entries }) => {
        written.push(entries.length);
        return [];
      },
    },
    ...{ logger, metrics, eventsMax: 100 },
  });
  queue.add(Array.from({ length: 500 }, () => open("hostile")));
  queue.add(Array.from({ length: 20 }, () => open("honest")));
  expect(await metrics.render()).toContain("headwater_tracker_events_lost_total 450");
  await queue.stop();
  expect(written.toSorted((a, b) => a - b)).toEqual([20, 50]);
  queue.add(Array.from({ length: 50 }, () => open("hostile")));
  expect(await metrics.render()).toContain("headwater_tracker_events_lost_total 450");
});
