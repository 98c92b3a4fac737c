import type { ImportOutcomes } from "@headwater/stores/imports";
import { expect, test } from "vitest";
import type { ImportUnderWay } from "./importProgress.ts";
import { afterCanceled, afterRows } from "./importSteps.ts";

const from = { offset: 9, line: 2, index: 0 };
const at = { offset: 400, line: 22, index: 20 };
const underWay: ImportUnderWay = {
  phase: "rows",
  source: {
    file: { id: "f", bytes: 9_000, markBytes: 0 },
    form: { format: "csv", delimiter: ",", newline: "\n" },
    header: ["email"],
    from,
  },
  at,
  written: 20,
  refused: 3,
};
const none: ImportOutcomes = { inserted: 0, updated: 0, ignored: 0, rejected: 0, errors: 0 };
const until = { "intake.bulk/1/0": 7 };

test("a canceled import waits while the state has not passed what was written", () => {
  const outcomes = { ...none, inserted: 12 };
  expect(afterCanceled({}, underWay, { followed: { until, isPassed: false }, outcomes })).toMatchObject({
    kind: "wait",
    progress: { phase: "settle", until },
    completedItems: 15,
    result: { totalRecords: 23, inserted: 12, rejected: 3 },
  });
});

test("a canceled import ends with the counts of all rows that are in the log, also those that no step reported", () => {
  const end = afterCanceled({}, underWay, {
    followed: { until, isPassed: true },
    outcomes: { ...none, inserted: 30, ignored: 5 },
  });
  expect(end).toMatchObject({
    kind: "done",
    totalItems: 38,
    completedItems: 38,
    result: { totalRecords: 38, inserted: 30, ignored: 5, rejected: 3 },
    metadata: { progress: { bytes: 400, bytesTotal: 9_000 } },
  });
});

test("a canceled import shows the rows that the state rejected before it ends", () => {
  const outcomes = { ...none, inserted: 19, rejected: 1 };
  expect(afterCanceled({}, underWay, { followed: { until, isPassed: true }, outcomes })).toMatchObject({
    kind: "more",
    progress: { phase: "collect", at: from, written: 20 },
  });
});

test("an import that stops counts rows in the log that no step reported", () => {
  const done = { at, isEnd: true, written: 0, rejections: [] };
  const outcomes = { ...none, inserted: 18, rejected: 4 };
  expect(afterRows({ stopAfterRejections: 5 }, underWay, { done, ignored: {}, outcomes })).toMatchObject({
    progress: { phase: "settle", isStopped: true },
    totalItems: 25,
    completedItems: 25,
    result: { totalRecords: 25, inserted: 18, rejected: 7 },
  });
});

test("an import shows which members of its rows it ignored, and in how many", () => {
  const done = { at, isEnd: false, written: 5, rejections: [] };
  const ignored = { storeId: 5, "items.colour": 2 };
  const step = afterRows({}, underWay, { done, ignored, outcomes: none });
  expect(step).toMatchObject({ progress: { ignored }, metadata: { ignoredMembers: ignored } });
  expect(afterRows({}, underWay, { done, ignored: {}, outcomes: none })).not.toHaveProperty("metadata.ignoredMembers");
});
