import { RowBinary } from "@headwater/clickhouse/rowBinary";
import { defineTable, string, uInt8, uInt64 } from "@headwater/clickhouse/tables/index";
import { expect, test } from "vitest";
import type { Mail } from "../quarantine/quarantine.ts";
import { PoisonRange, type SinkItem, type SinkTables } from "./sink.ts";
import { createSink, toBlocks } from "./toBlocks.ts";

const firstTables = ["z_aliases"];
const aliases = defineTable({ name: "z_aliases", columns: { a: uInt8 } });
const others = defineTable({ name: "others", columns: { a: uInt8, b: uInt8 } });
const last = defineTable({ name: "p_last", columns: { a: uInt8 } });

function item(offset: number, write: (to: SinkTables) => void): SinkItem {
  return { offset, place: 0, account: 7, write, letter: () => deadLetter(offset) };
}

function deadLetter(offset: number): Mail {
  const key = { account: 7, recordId: `r${offset}`, requestId: "", itemIndex: 0, operation: "o" };
  return { ...key, version: "0".repeat(32), receivedAt: 0, payload: {} };
}

const toRows = (offset: number) => item(offset, (to) => to.add(others, { a: offset, b: 0 }));
const broken = (offset: number) =>
  item(offset, () => {
    throw new TypeError("no row can be made of it");
  });

test("rows come by table: those of the first tables go ahead, whichever row was written first", () => {
  const all = item(1, (to) => {
    to.add(last, { a: 5 });
    to.add(others, { b: 3, a: 1 });
    to.add(aliases, { a: 9 });
  });
  expect(toBlocks({ firstTables }, [all, toRows(2)])).toMatchObject([
    { table: "z_aliases", rows: 1, isFirst: true, columns: ["a"], body: Buffer.from([9]) },
    { table: "others", rows: 2, isFirst: false, columns: ["a", "b"], body: Buffer.from([1, 3, 2, 0]) },
    { table: "p_last", rows: 1, isFirst: false, columns: ["a"], body: Buffer.from([5]) },
  ]);
});

test("a row of two tables has in each the bytes that it has alone", () => {
  const shared = { a: uInt8, text: string };
  const now = defineTable({ name: "now", columns: { ...shared, revision: uInt64 } });
  const past = defineTable({ name: "past", columns: { ...shared, at: uInt64 } });
  const one = { a: 1, text: "x", revision: 7, at: 9 };
  const two = { a: 2, text: "Zürich", revision: 8, at: 10 };
  const both = item(1, (to) => {
    to.add(now, one);
    to.add(past, one);
    to.add(now, two);
    // Another row than the one before, and one that was added long ago.
    to.add(past, one);
    to.add(past, two);
  });
  const [inNow, inPast] = [new RowBinary(), new RowBinary()];
  for (const row of [one, two]) now.write(inNow, row);
  for (const row of [one, one, two]) past.write(inPast, row);
  expect(toBlocks({ firstTables: [] }, [both])).toMatchObject([
    { table: "now", rows: 2, body: inNow.body() },
    { table: "past", rows: 3, body: inPast.body() },
  ]);
});

test("a range without rows has no block", () => {
  expect(toBlocks({ firstTables }, [item(1, () => undefined)])).toEqual([]);
});

test("all items of which no row can be made are named at once, with the accounts of the whole range", () => {
  let thrown: unknown;
  try {
    toBlocks({ firstTables }, [toRows(1), broken(2), toRows(3), broken(4)]);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(PoisonRange);
  expect(thrown).toMatchObject({ poison: [{ offset: 2 }, { offset: 4 }], accounts: [7, 7, 7, 7] });
});

test("a store that is away makes no item poison", () => {
  const away = item(1, () => {
    throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  });
  expect(() => toBlocks({ firstTables }, [away])).toThrow("connect");
});

test("a sink makes no block of places that are stored already", async () => {
  const sink = createSink({
    group: "test",
    transform: 1,
    finishes: [1],
    firstTables,
    isCounted: false,
    readable: async () => 0,
    read: async () => [toRows(1), toRows(2), toRows(3)],
  });
  const key = { group: "test", topic: "t", generation: 1, partition: 0 };
  expect(await sink.blocks(key, [], new Set(["2:0"]))).toMatchObject([{ rows: 2, body: Buffer.from([1, 0, 3, 0]) }]);
});
