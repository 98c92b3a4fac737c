import {
  ACTIVITIES_GROUP,
  HISTORY_GROUP,
  lanes,
  type Receipt,
  STATE_GROUP,
  topicOfStream,
  topicsReadBy,
} from "@headwater/contracts";
import type { PublishedOffsets } from "@headwater/postgres/outbox/outbox";
import type { OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import { expect, test } from "vitest";
import { type ConsistencyPorts, consistencyOf } from "./consistencyOf.ts";

const STREAM = 1;
const [CHANGES = ""] = topicsReadBy(HISTORY_GROUP);

const receipt: Receipt = {
  ...{ requestId: "r1", accountId: "a1", receivedAt: 1_000 },
  parts: [{ lane: STREAM, partition: 0, firstOffset: 4, firstPlace: 0, lastOffset: 4, lastPlace: 0, count: 1 }],
};

const intake = topicOfStream(STREAM) ?? "";
const row = (group: string, topic: string, nextOffset: number, outboxPosition = 0): OpenOffset => ({
  ...{ group, topic, generation: 1, partition: 0, nextOffset, outboxPosition },
  ...{ lastRecordId: null, greatestTime: 2_000, windowFrom: 0, pending: null, mark: null },
  ...{ seenAt: 2_000, heldWhy: null, losses: [] },
});

/** The offsets of the groups as they are now; each outbox position is published at the offset of the same number. */
class Streams implements ConsistencyPorts {
  rows: OpenOffset[] = [];
  readonly positions: number[] = [];
  readonly progress = { offsets: async () => this.rows };
  readonly streamLooks = {
    published: async (position: number): Promise<PublishedOffsets> => {
      this.positions.push(position);
      return { [CHANGES]: { 0: position } };
    },
    isParked: async () => false,
  };
}

test("a read of analytics waits for the changes of the record's own batch, not for those that came while it waited", async () => {
  const streams = new Streams();
  const isVisible = consistencyOf(streams, receipt, "analytics");
  streams.rows = [row(STATE_GROUP, intake, 4)];
  expect(await isVisible()).toBe(false);
  streams.rows = [row(STATE_GROUP, intake, 5, 10), row(ACTIVITIES_GROUP, intake, 0), row(HISTORY_GROUP, CHANGES, 9)];
  expect(await isVisible()).toBe(false);
  streams.rows = [row(STATE_GROUP, intake, 9, 50), row(ACTIVITIES_GROUP, intake, 0), row(HISTORY_GROUP, CHANGES, 10)];
  expect(await isVisible()).toBe(false);
  streams.rows = [row(STATE_GROUP, intake, 9, 50), row(ACTIVITIES_GROUP, intake, 5), row(HISTORY_GROUP, CHANGES, 10)];
  expect(await isVisible()).toBe(true);
  expect(streams.positions).toEqual([10]);
});

test("a read of analytics waits for the changes when the activities are there first", async () => {
  const streams = new Streams();
  const isVisible = consistencyOf(streams, receipt, "analytics");
  streams.rows = [row(STATE_GROUP, intake, 5, 10), row(ACTIVITIES_GROUP, intake, 5), row(HISTORY_GROUP, CHANGES, 9)];
  expect(await isVisible()).toBe(false);
  streams.rows = [row(STATE_GROUP, intake, 5, 10), row(ACTIVITIES_GROUP, intake, 5), row(HISTORY_GROUP, CHANGES, 10)];
  expect(await isVisible()).toBe(true);
});

test("a read waits for nothing of a write that changed no state", async () => {
  const streams = new Streams();
  const part = { lane: lanes.v2, partition: 0, firstOffset: 0, firstPlace: 0, lastOffset: 0, lastPlace: 0, count: 1 };
  streams.rows = [row(HISTORY_GROUP, CHANGES, 9)];
  expect(await consistencyOf(streams, { ...receipt, parts: [part] }, "analytics")()).toBe(true);
});

test("a read of state waits for state alone", async () => {
  const streams = new Streams();
  streams.rows = [row(STATE_GROUP, intake, 5, 10)];
  expect(await consistencyOf(streams, receipt, "state")()).toBe(true);
  expect(streams.positions).toEqual([]);
});

test("a read of activities beside the state waits for them, and not for the changes in ClickHouse", async () => {
  const streams = new Streams();
  const isVisible = consistencyOf(streams, receipt, "activities");
  streams.rows = [row(STATE_GROUP, intake, 5, 10), row(ACTIVITIES_GROUP, intake, 4)];
  expect(await isVisible()).toBe(false);
  streams.rows = [row(STATE_GROUP, intake, 5, 10), row(ACTIVITIES_GROUP, intake, 5), row(HISTORY_GROUP, CHANGES, 0)];
  expect(await isVisible()).toBe(true);
  expect(streams.positions).toEqual([]);
});
