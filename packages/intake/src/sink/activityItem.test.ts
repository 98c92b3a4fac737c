import { expect, test } from "vitest";
import type { IntakeRecord } from "../operations/operation.ts";
import { ActivityItem } from "./activityItem.ts";
import type { SinkTables } from "./sink.ts";

const frame = { offset: 12, timeMs: 1_700_000_000_000, key: undefined, value: Buffer.alloc(0), headers: {} };
const key = { group: "activities", topic: "intake.records", generation: 2, partition: 3 };
const position = { account: { number: 1, timezone: "Europe/Berlin" }, contact: 5, key, frame, place: 4 };

function recordOf(event: object): IntakeRecord {
  const created = { id: "request:7:0", receivedAt: 1, contact: { identifiers: { email: "a@b.c" } }, event };
  return JSON.parse(JSON.stringify(created));
}

function rowOf(record: IntakeRecord): unknown {
  const rows: unknown[] = [];
  const add: SinkTables["add"] = (_table, row) => void rows.push(row);
  new ActivityItem(record, position).write({ add });
  return rows[0];
}

test("a row says where in the log its activity stands", () => {
  expect(rowOf(recordOf({ name: "browse", time: "2026-01-02T03:04:05Z" }))).toMatchObject({
    account: 1,
    contact: 5,
    action: "browse",
    ingested: frame.timeMs,
    topic_generation: 2,
    partition: 3,
    log_offset: 12,
    place: 4,
  });
});

test("an activity without a UID is its record's, and what it lacks is empty", () => {
  expect(rowOf(recordOf({ name: "browse", time: "2026-01-02T03:04:05Z" }))).toMatchObject({
    uid: "request:7:0",
    mc_id: "",
    properties: "{}",
    device: "",
    geo_city: "",
    geo_lat: null,
  });
});

test.each([
  ["2026-07-01T12:00:00", "2026-07-01T12:00:00Z"],
  ["2026-07-01", "2026-06-30T22:00:00Z"],
])("the time %s is %s: without a zone it is UTC, a date alone is midnight in the account's zone", (time, utc) => {
  expect(rowOf(recordOf({ name: "browse", time }))).toMatchObject({ time: Date.parse(utc) });
});

test("dotted properties are nested, and a message's id stands in a column of its own", () => {
  const event = { name: "open", time: "2026-01-02T03:04:05Z", UID: "u", properties: { mcID: "m1", "a.b": 1 } };
  expect(rowOf(recordOf(event))).toMatchObject({ uid: "u", mc_id: "m1", properties: '{"mcID":"m1","a":{"b":1}}' });
});

test("a record that holds no activity is poison, and its letter names its request and its item", () => {
  const record = recordOf({ name: "x" });
  const item = new ActivityItem(JSON.parse('{"id":"request:7:0","receivedAt":1}'), position);
  expect(() => item.write({ add: () => undefined })).toThrow(TypeError);
  expect(new ActivityItem(record, position).letter()).toMatchObject({
    account: 1,
    recordId: "request:7:0",
    requestId: "request",
    itemIndex: 7,
    operation: "createContactactivities",
  });
});
