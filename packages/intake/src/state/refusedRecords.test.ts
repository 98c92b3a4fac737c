import { defaultSettings } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";
import { StaleState, WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { expect, test, vi } from "vitest";
import { operations } from "../operations/registry.ts";
import { BatchTooLarge, PoisonRecord } from "./batchFailures.ts";
import type { LoggedRecord } from "./loggedRecord.ts";
import { isBlamed, RefusedRecords, SuspectedRecord } from "./refusedRecords.ts";

const [operation] = operations;

function recordsOf(count: number, accounts = 1): LoggedRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    account: { number: (index % accounts) + 1, id: "a".repeat(24), name: "test", settings: defaultSettings },
    operation,
    record: { id: `r:0:${index}`, receivedAt: 0 },
    reads: { identifiers: [], members: false },
    version: "0".repeat(32),
    offset: 0,
    place: index,
  }));
}

const away = new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "away", retriable: true });

const plain = new Error("m");

test.each([
  ["a text that Postgres refuses", plain, "other", ["errors", "conflicts", "slow"]],
  ["a fold that threw", new PoisonRecord(0, plain), "other", ["errors", "conflicts", "slow"]],
  ["too much for one pass", new BatchTooLarge("m"), "other", ["errors", "conflicts", "slow"]],
  ["a row that is there", plain, "unique", ["conflicts"]],
  ["fewer rows than meant", new WriteConflict("m"), "other", ["conflicts"]],
  ["stale state", new StaleState("m"), "other", ["conflicts"]],
  ["slowness", plain, "timeout", ["slow"]],
  ["a deadlock, or a lock that another transaction holds", plain, "conflict", []],
  ["a full disk", plain, "unavailable", []],
  ["Postgres away", away, "unavailable", []],
] as const)("%s is laid to a record only where it can be one's", (_what, error, failure, kinds) => {
  const all = ["errors", "conflicts", "slow"] as const;
  expect(all.filter((kind) => isBlamed(kind, error, failure))).toEqual(kinds);
});

test("a slow record is refused when it was the first to be slow three times in a row", () => {
  const refused = new RefusedRecords(recordsOf(4));
  const slow = () => refused.add(2, plain, "timeout");
  expect(slow).toThrow(SuspectedRecord);
  expect(slow).toThrow(SuspectedRecord);
  expect([...refused.indexes]).toEqual([]);
  slow();
  expect([...refused.indexes]).toEqual([2]);
});

test("records that are slow in turn are refused by nobody: Postgres is slow", () => {
  const refused = new RefusedRecords(recordsOf(4));
  for (const index of [2, 1, 2, 1, 2]) {
    expect(() => refused.add(index, plain, "timeout")).toThrow(SuspectedRecord);
  }
  expect([...refused.indexes]).toEqual([]);
});

test("poison across most accounts of a batch is suspected to be a fault of the system", () => {
  const refused = new RefusedRecords(recordsOf(40, 4));
  const add = (index: number) => refused.add(index, new Error("m"));
  for (let index = 0; index < 10; index++) add(index);
  expect(() => add(10)).toThrow("suspecting a systemic fault");
});

test("a refused record is logged by its id and cause, without what it holds", () => {
  const error = vi.fn();
  const refused = new RefusedRecords(recordsOf(2));
  refused.add(1, new PoisonRecord(1, plain));
  refused.log({ error });
  const fields = { err: plain, recordId: "r:0:1", operation: operation.name };
  expect(error.mock.calls).toEqual([[fields, "record rejected as INTERNAL_ERROR"]]);
});
