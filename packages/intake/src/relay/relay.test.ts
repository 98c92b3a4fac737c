import { createLogger, manualClock } from "@headwater/kernel";
import { MemoryOutbox, outboxContract } from "@headwater/testing";
import type { PublishedMessage, RawMessage } from "@headwater/topics";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createRelay, type RelayOptions, relayOnce } from "./relay.ts";

const logger = createLogger({ name: "test", level: "silent" });

describe("the outbox in memory keeps the contract of the one in Postgres", () => {
  test.each(outboxContract)("%s", (_promise, check) => {
    const outbox = new MemoryOutbox();
    return check({
      outbox,
      append: async (rows) => outbox.append(rows),
      lettersOf: async (recordIds) => recordIds.filter((id) => outbox.letters.has(id)),
    });
  });
});

let outbox: MemoryOutbox;
let published: string[];
let quarantined: number;
beforeEach(() => {
  [outbox, published, quarantined] = [new MemoryOutbox(), [], 0];
});

const killed = async () => {
  throw Object.assign(new Error("killed"), { code: "ECONNRESET" });
};
/** Commits one row for each position. */
function commit(...positions: number[]): void {
  for (const position of positions) {
    const payload = JSON.stringify({ position, changes: [{ account: 1, version: "v" }] });
    outbox.append([{ position, topic: "changes.carts", sourcePartition: 3, payload }]);
  }
}

async function publish(messages: readonly RawMessage[]): Promise<PublishedMessage[]> {
  const from = published.length;
  for (const { value } of messages) published.push(String(JSON.parse(value.toString()).position));
  return messages.map(({ topic, partition }, index) => ({ topic, partition: partition ?? 0, offset: from + index }));
}

function options(more: Partial<RelayOptions> = {}): RelayOptions {
  return {
    outbox,
    producer: { publish },
    encode: (_topic, payload) => Buffer.from(payload),
    logger,
    clock: manualClock(7),
    onQuarantined: (records) => {
      quarantined += records;
    },
    ...more,
  };
}

const left = async () => (await outbox.next(100)).rows.map(({ position }) => position);

test("rows are published in the order of commit, and marked with the offsets that the log answered", async () => {
  commit(1, 2, 3);
  expect(await relayOnce(options())).toBe(3);
  expect(published).toEqual(["1", "2", "3"]);
  expect(await left()).toEqual([]);
  const { progress } = await outbox.next(1);
  expect(Object.values(progress.offsets["changes.carts"] ?? {})).toEqual([3]);
  expect(await relayOnce(options())).toBe(0);
});

test("a relay killed before the log answers leaves all rows to the next one", async () => {
  commit(1, 2);
  await expect(relayOnce(options({ producer: { publish: killed } }))).rejects.toThrow("killed");
  expect(await left()).toEqual([1, 2]);
  await relayOnce(options());
  expect(published).toEqual(["1", "2"]);
});

test("a relay killed between the log's answer and the mark publishes the same rows again, in order, and loses none", async () => {
  commit(1, 2);
  vi.spyOn(outbox, "mark").mockImplementationOnce(killed);
  await expect(relayOnce(options())).rejects.toThrow("killed");
  await relayOnce(options());
  expect(published).toEqual(["1", "2", "1", "2"]);
  expect(await left()).toEqual([]);
});

test("a relay that another has overtaken marks nothing and reports no poison", async () => {
  commit(1, 2);
  const overtaken = options({
    producer: {
      async publish(messages) {
        await relayOnce(options());
        return publish(messages);
      },
    },
  });
  await relayOnce(overtaken);
  expect(await left()).toEqual([]);
  expect(quarantined).toBe(0);
});

test("a row that no schema takes becomes a dead letter, and its neighbours are published", async () => {
  commit(1, 2, 3);
  const encode = (_topic: string, payload: string) => {
    if (payload.includes('"position":2')) throw new TypeError("no schema takes this");
    return Buffer.from(payload);
  };
  expect(await relayOnce(options({ encode }))).toBe(3);
  expect(published).toEqual(["1", "3"]);
  expect(await left()).toEqual([]);
  expect(outbox.letters.size).toBe(1);
  expect(quarantined).toBe(1);
});

test("a log that is away is tried again until it is back, and the rows are published once", async () => {
  commit(1, 2);
  let attempts = 0;
  const away = async (messages: readonly RawMessage[]) => (++attempts < 3 ? killed() : publish(messages));
  const relay = createRelay(options({ producer: { publish: away } }));
  relay.start();
  await expect.poll(left).toEqual([]);
  await relay.stop();
  expect(attempts).toBe(3);
  expect(published).toEqual(["1", "2"]);
});

test("a relay that stands by publishes nothing until it is its turn", async () => {
  commit(1);
  let isHolder = false;
  let checks = 0;
  const mayRelay = () => {
    checks += 1;
    return isHolder;
  };
  const relay = createRelay(options({ mayRelay }));
  relay.start();
  await expect.poll(() => checks).toBeGreaterThan(2);
  expect(published).toEqual([]);
  isHolder = true;
  relay.wake();
  await expect.poll(left).toEqual([]);
  await relay.stop();
  expect(published).toEqual(["1"]);
});
