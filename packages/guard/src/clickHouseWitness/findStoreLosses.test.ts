import { expect, test } from "vitest";
import { findStoreLosses, type StoreLoss, sentenceOfLosses } from "./findStoreLosses.ts";
import type { HeldStore, KnownStore } from "./storeFacts.ts";

const STREAM = "activities/intake.records/1/3";
const known: KnownStore = {
  identity: "a",
  isEstablished: true,
  migrations: 22,
  tables: { activities: "u1", orders_current: "" },
  marks: { [STREAM]: 40 },
};
const held: HeldStore = {
  identities: ["a"],
  migrations: 22,
  tables: [
    { name: "activities", uuid: "u1", rows: 9 },
    { name: "orders_current", uuid: "", rows: 1 },
  ],
  marks: new Map([
    ["", 1],
    [STREAM, 40],
  ]),
};
const withTable = (name: string, change: object) => ({
  ...held,
  tables: held.tables.map((table) => (table.name === name ? { ...table, ...change } : table)),
});

test("a store that holds what it has confirmed, or more, has lost nothing", () => {
  expect(findStoreLosses(known, held)).toEqual([]);
  expect(findStoreLosses(known, { ...held, marks: new Map([...held.marks, [STREAM, 41]]) })).toEqual([]);
});

test("before the first identity an empty store is a new one, and a store of others is foreign", () => {
  const nothing = { ...known, identity: undefined, isEstablished: false, tables: {}, marks: {} };
  expect(findStoreLosses(nothing, undefined)).toEqual([]);
  expect(findStoreLosses(nothing, { ...held, identities: [] })).toEqual([]);
  expect(findStoreLosses(nothing, held)).toEqual([{ kind: "foreign" }]);
});

test("a store that is still being given its identity has lost nothing", () => {
  expect(findStoreLosses({ ...known, isEstablished: false, marks: {} }, { ...held, identities: [] })).toEqual([]);
});

test.each<[string, HeldStore | undefined]>([
  ["an empty server", undefined],
  ["tables that were created again", { ...held, identities: [], marks: new Map() }],
  ["another installation's server", { ...held, identities: ["b"] }],
])("%s is told by its identity", (_, other) => {
  expect(findStoreLosses(known, other)).toEqual([{ kind: "identity" }]);
});

test("an older copy is told by each stream that it holds less of", () => {
  const older = { ...held, marks: new Map([["", 1]]) };
  expect(findStoreLosses(known, older)).toEqual([{ kind: "mark", stream: STREAM, known: 40, held: 0 }]);
  expect(findStoreLosses(known, { ...held, marks: new Map([[STREAM, 39]]) })).toEqual([
    { kind: "mark", stream: STREAM, known: 40, held: 39 },
  ]);
});

test.each<[string, HeldStore, StoreLoss]>([
  ["emptied", withTable("activities", { rows: 0 }), { kind: "table", table: "activities", is: "empty" }],
  ["created again", withTable("activities", { uuid: "u2" }), { kind: "table", table: "activities", is: "replaced" }],
  [
    "dropped",
    { ...held, tables: held.tables.filter(({ name }) => name !== "activities") },
    { kind: "table", table: "activities", is: "missing" },
  ],
])("a single table that was %s is found", (_, other, loss) => {
  expect(findStoreLosses(known, other)).toEqual([loss]);
});

test("a migration may exchange and drop tables, and may not empty one", () => {
  const migrated = { ...held, migrations: 23, tables: [{ name: "activities", uuid: "u2", rows: 9 }] };
  expect(findStoreLosses(known, migrated)).toEqual([]);
  expect(findStoreLosses(known, { ...migrated, tables: [{ name: "activities", uuid: "u2", rows: 0 }] })).toEqual([
    { kind: "table", table: "activities", is: "empty" },
  ]);
});

test("the sentence names the first loss, how many more there are, and the command", () => {
  const mark: StoreLoss = { kind: "mark", stream: STREAM, known: 40, held: 39 };
  const sentence = sentenceOfLosses([mark, { kind: "identity" }]);
  expect(sentence).toContain("up to offset 40 and holds it up to 39 (and 1 more findings)");
  expect(sentence).toContain("headwater stores rebuild clickhouse");
});
