import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { describe, expect, test } from "vitest";
import { supplementRecordChanges } from "../changeEvents/toChangeEvents.ts";
import { BatchState } from "../unitOfWork/batchState.ts";
import { emptyRows, supplementKey, supplementRecordKey } from "../unitOfWork/loadedRows.ts";
import { entryChanges, updatesOf } from "./supplementEntries.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const upsert = loggedOperations.find(({ name }) => name === "upsertSupplementsRecords");
const rules = { contactObject: false, autogenerateIDs: false, clearedVersion: undefined };
const slot = (field: string, type: "string" | "array", number: number) => ({
  field,
  type,
  slot: number,
  timezone: "UTC",
});
const versionAt = (time: number) => versionOf(time, { lane: 1, partition: 0, offset: time, place: 0 });

/** Folds records over a table that holds one record, written at 10 with model A and tags x and y. */
function fold(records: readonly object[], indexes = [slot("model", "string", 1), slot("tags", "array", 2)]) {
  const rows = emptyRows();
  rows.supplements.set(supplementKey(1, "cars"), { id: 7, key: "cars", indexes, ...rules });
  const members = [
    ["model", "A", 0],
    ["tags", ["x", "y"], 0],
  ];
  const doc = JSON.stringify({ v: [versionAt(10)], members });
  const times = { createdAt: 10, modifiedAt: 10, version: versionAt(10), deletedVersion: null };
  rows.supplementRecords.set(supplementRecordKey(1, 7, "1"), { contact: null, ...times, doc });
  rows.supplementRecords.set(supplementRecordKey(1, 7, "2"), null);
  const state = new BatchState(rows);
  for (const [index, record] of records.entries()) {
    const located = { id: `r${index}:0:0`, receivedAt: 0, supplement: "cars", record };
    const origin = { account, recordId: located.id, version: versionAt(20 + index) };
    if (upsert === undefined) throw new Error("the operation is not registered");
    state.collect(1, Reflect.apply(upsert.fold, upsert, [state.of(1), located, origin]).changeEvents);
  }
  const changes = state.changes();
  const { added, removed } = entryChanges(changes, rows);
  const keys = (entries: typeof added) => entries.map(({ slot, key, id }) => `${slot} ${key} ${id}`).sort();
  return { changes, added: keys(added), removed: keys(removed) };
}

describe("entries of indexed fields", () => {
  test("of a new record are added, one for each index it can be sorted by and each element", () => {
    expect(fold([{ id: "2", tags: ["x", "x", "z"] }])).toMatchObject({
      added: ["1 ~ 2", "2 =x 2", "2 =z 2"],
      removed: [],
    });
  });

  test("change where the values do, whatever was in between in the batch", () => {
    const records = [
      { id: "1", model: "B" },
      { id: "1", model: "C", tags: ["y", "z"] },
    ];
    expect(fold(records)).toMatchObject({ added: ["1 =C 1", "2 =z 1"], removed: ["1 =A 1", "2 =x 1"] });
    expect(fold([{ id: "1", other: 1 }])).toMatchObject({ added: [], removed: [] });
  });

  test("are none in a table without indexes", () => {
    expect(fold([{ id: "1", model: "B" }], [])).toMatchObject({ added: [], removed: [] });
  });
});

test("a table's last write is the latest of the batch, once", () => {
  const { changes } = fold([
    { id: "1", model: "B" },
    { id: "2", model: "C" },
  ]);
  expect(updatesOf(changes)).toEqual([{ account: 1, supplement: 7, at: 21 }]);
  expect(supplementRecordChanges(changes).map(({ id, deleted }) => [id, deleted])).toEqual([
    ["1", undefined],
    ["2", undefined],
  ]);
});
