import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import { upsertContact } from "./upsertContact.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
let offset = 0;

/** Writes the attribute `big` by one record after another. @returns what it is then. */
function write(...values: readonly unknown[]): unknown {
  const state = new MemoryState();
  for (const big of values) {
    offset++;
    const contact = { identifiers: { email: "a@x" }, attributes: { big }, canBeCreated: true, canBeUpdated: true };
    const record = { id: `r${offset}:0:0`, receivedAt: 0, contact };
    state.apply(account, [
      { operation: upsertContact, record, version: versionOf(offset, { lane: 1, partition: 0, offset, place: 0 }) },
    ]);
  }
  const [row] = state.contacts.values();
  const [, value]: readonly unknown[] = JSON.parse(row?.doc ?? "").attributes;
  return value;
}

test("items are equal whatever the order of their members, and text is no number", () => {
  expect(write([1, "1", { a: 1, b: [2] }], { remove: [{ b: [2], a: 1 }, "1"] })).toEqual([1]);
  expect(write([1, { a: 1, b: 2 }], { add: ["1", { b: 2, a: 1 }, { a: 1 }, null] })).toEqual([
    1,
    { a: 1, b: 2 },
    "1",
    { a: 1 },
    null,
  ]);
});

test("an item that is added twice is there once, by one edit as by two; an array keeps its doubles as they were written", () => {
  expect(write({ add: [1, 1] }, { add: [1] })).toEqual([1]);
  expect(write([{ a: 1 }], { add: ["b", { b: 1, c: 2 }, "b", { c: 2, b: 1 }, { a: 1 }] })).toEqual([
    { a: 1 },
    "b",
    { b: 1, c: 2 },
  ]);
  expect(write([1, 1], { add: [2] })).toEqual([1, 1, 2]);
});

test("an array that outgrows its bound keeps its newest items", () => {
  const items = (from: number) => Array.from({ length: 30_000 }, (_, n) => from + n);
  const stored = write(items(100_000), { add: items(200_000) });
  expect(JSON.stringify(stored).length).toBeLessThanOrEqual(256 * 1024);
  expect(stored).toEqual([...items(100_000), ...items(200_000)].slice(-(Array.isArray(stored) ? stored.length : 0)));
  expect(write(["x".repeat(300_000)], { add: ["y".repeat(300_000)] })).toEqual(["y".repeat(300_000)]);
});

test("edits of arrays at the bound of a body take less than 250 ms of a core", () => {
  const digits = Array.from({ length: 120_000 }, (_, n) => n % 10);
  const objects = Array.from({ length: 20_000 }, (_, n) => ({ a: n % 7 }));
  const others = Array.from({ length: 20_000 }, (_, n) => ({ a: -n % 7 }));
  for (const [first, second] of [
    [digits, { add: digits.map((n) => -n) }],
    [digits, { remove: digits.map((n) => -n) }],
    [objects, { add: others, remove: others }],
  ]) {
    const took = Array.from({ length: 3 }, () => {
      const startedAt = process.threadCpuUsage();
      write(first, second);
      const { user, system } = process.threadCpuUsage(startedAt);
      return (user + system) / 1_000;
    });
    // Two records, and the reading and writing of the row.
    expect(Math.min(...took)).toBeLessThan(2 * 250);
  }
});
