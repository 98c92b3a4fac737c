import { deepEqual } from "node:assert/strict";
import type { RejectRow } from "@headwater/contracts";
import type { MemoryParked } from "./memoryParked.ts";

/** Parked records, with what a test does around them. */
export interface ParkedUnderTest {
  readonly parked: Pick<MemoryParked, "takeDue" | "reject">;
  /** Stores refused records. */
  put(rows: readonly RejectRow[]): Promise<void>;
  /** Status and code of records, in the order of their ids. */
  statusesOf(recordIds: readonly string[]): Promise<readonly string[]>;
}

/** A refused record of account 1. */
export function deadLetterRow(recordId: string, more: Partial<RejectRow> = {}): RejectRow {
  return {
    account: 1,
    recordId,
    requestId: recordId,
    operation: "upsertContact",
    topic: "intake.records",
    partition: 3,
    logOffset: 0,
    place: 0,
    itemIndex: 0,
    status: "open",
    code: "INTERNAL_ERROR",
    path: "",
    message: "The record cannot be written.",
    payload: "{}",
    version: "0".repeat(32),
    receivedAt: 0,
    rejectedAt: 0,
    attempts: 0,
    dueAt: null,
    ...more,
  };
}

/** A record that waits for its contact until `dueAt`. */
export function parkedRow(recordId: string, dueAt: number): RejectRow {
  return deadLetterRow(recordId, { status: "parked", code: "CONTACTS_CONTACT_NOT_FOUND", dueAt });
}

const due = { nowMs: 100, rowsMax: 10, againAtMs: 500 };
const idsOf = (rows: readonly RejectRow[]) => rows.map(({ recordId }) => recordId);

/** Promises of every store of parked records, in memory or in Postgres: each is given an empty one. */
export const parkedContract: readonly (readonly [promise: string, check: (under: ParkedUnderTest) => Promise<void>])[] =
  [
    [
      "records come when they are due, the longest due first, as many as are asked for",
      async ({ parked, put }) => {
        await put([parkedRow("late", 90), parkedRow("early", 10), parkedRow("future", 101), deadLetterRow("open")]);
        deepEqual(idsOf(await parked.takeDue({ ...due, rowsMax: 1 })), ["early"]);
        deepEqual(idsOf(await parked.takeDue(due)), ["late"]);
      },
    ],
    [
      "a record that was taken is due again when its outcome has not come by then",
      async ({ parked, put }) => {
        await put([parkedRow("a", 10)]);
        await parked.takeDue(due);
        deepEqual(idsOf(await parked.takeDue({ ...due, nowMs: 499 })), []);
        deepEqual(idsOf(await parked.takeDue({ ...due, nowMs: 500 })), ["a"]);
      },
    ],
    [
      "a rejected record is a dead letter and never due again",
      async ({ parked, put, statusesOf }) => {
        await put([parkedRow("a", 10)]);
        await parked.reject([deadLetterRow("a")]);
        deepEqual(await statusesOf(["a"]), ["open INTERNAL_ERROR"]);
        deepEqual(idsOf(await parked.takeDue({ ...due, nowMs: 10_000 })), []);
      },
    ],
    [
      "a record that has an end by now is not rejected",
      async ({ parked, put, statusesOf }) => {
        await put([deadLetterRow("a", { status: "discarded", code: "DUPLICATE" }), parkedRow("b", 10)]);
        await parked.reject([deadLetterRow("a"), deadLetterRow("b")]);
        deepEqual(await statusesOf(["a", "b"]), ["discarded DUPLICATE", "open INTERNAL_ERROR"]);
      },
    ],
  ];
