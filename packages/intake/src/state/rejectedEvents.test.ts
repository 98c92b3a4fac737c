import { openReceipt, type RejectRow } from "@headwater/contracts";
import { expect, test } from "vitest";
import { toRejectedEvents } from "./rejectedEvents.ts";

const row: RejectRow = {
  ...{ account: 1, recordId: "r1:0:0", requestId: "r1", operation: "upsertContact", topic: "intake.records" },
  ...{ partition: 0, logOffset: 4, place: 0, itemIndex: 0, status: "open", code: "ATTRIBUTE_TYPE_MISMATCH", path: "" },
  ...{ message: "", payload: "{}", version: "0".repeat(32), receivedAt: 1, rejectedAt: 2, attempts: 0, dueAt: null },
};

test("refused records of a request are one event by operation and code", () => {
  const rows = [
    row,
    { ...row, recordId: "r1:1:0" },
    { ...row, recordId: "r1:2:0", code: "UNKNOWN_ATTRIBUTE" },
    { ...row, recordId: "r2:0:0", requestId: "r2" },
    { ...row, recordId: "r3:0:0", requestId: "r3", account: 2 },
  ];
  const events = toRejectedEvents(rows, { nowMs: 1_000 });
  expect([...events.keys()]).toEqual([1, 2]);
  expect(events.get(1)).toMatchObject([
    {
      source: "r1:0:0/ATTRIBUTE_TYPE_MISMATCH",
      at: 1_000,
      data: { operation: "upsertContact", count: 2, requestId: "r1" },
    },
    { data: { code: "UNKNOWN_ATTRIBUTE", count: 1 } },
    { data: { requestId: "r2", count: 1 } },
  ]);
});

test("an event has a receipt of the records that it is about, where they can be sealed", () => {
  const accounts = new Map([[1, { id: "a".repeat(24) }]]);
  const rows = [{ ...row, logOffset: 6, place: 3 }, row, { ...row, account: 2, requestId: "r2" }];
  const events = toRejectedEvents(rows, { nowMs: 1_000, accounts, receiptSecret: "secret" });
  const [data] = (events.get(1) ?? []).map((event) => event.data);
  const part = { lane: 1, partition: 0, firstOffset: 4, firstPlace: 0, lastOffset: 6, lastPlace: 3, count: 2 };
  expect(openReceipt(String(Reflect.get(Object(data), "receipt")), "secret")).toEqual({
    ...{ requestId: "r1", accountId: "a".repeat(24), receivedAt: 1, parts: [part] },
  });
  expect(events.get(2)?.[0]?.data).not.toHaveProperty("receipt");
});

test("a record that waits for its contact, and a message without an account, are no event", () => {
  expect(
    toRejectedEvents(
      [
        { ...row, status: "parked" },
        { ...row, account: 0 },
      ],
      { nowMs: 1_000 },
    ).size,
  ).toBe(0);
});
