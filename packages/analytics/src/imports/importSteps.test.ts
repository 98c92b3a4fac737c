import type { ImportOutcomes } from "@headwater/intake/state/importCounts";
import { expect, test } from "vitest";
import type { ImportUnderWay } from "./importProgress.ts";
import { afterCanceled, afterLoss, afterRows, afterWait } from "./importSteps.ts";

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
  expect(afterRows({ stopAfterRejections: 5 }, underWay, { done, warned: {}, outcomes })).toMatchObject({
    progress: { phase: "settle", isStopped: true },
    totalItems: 25,
    completedItems: 25,
    result: { totalRecords: 25, inserted: 18, rejected: 7 },
  });
});

test("an import shows which members of its rows it ignored, which addresses are none and which names are nearly known, and in how many rows", () => {
  const done = { at, isEnd: false, written: 5, rejections: [] };
  const ignored = { storeId: 5, "items.colour": 2 };
  const invalidAddresses = { email: 3 };
  const similarNames = { Customer_ID: 4 };
  const warned = { ignored, invalidAddresses, similarNames };
  const step = afterRows({}, underWay, { done, warned, outcomes: none });
  expect(step).toMatchObject({
    progress: warned,
    metadata: { ignoredMembers: ignored, invalidAddresses, similarNames },
  });
  expect(afterRows({}, underWay, { done, warned: {}, outcomes: none })).not.toHaveProperty("metadata.ignoredMembers");
});

test("an import waits for the state after a loss of the log was adopted, and counts rows without an outcome as lost", () => {
  const outcomes = { ...none, inserted: 12 };
  const waiting = afterLoss(underWay, { losses: 1, followed: { until, isPassed: false }, outcomes });
  expect(waiting).toMatchObject({ kind: "wait", progress: { phase: "rows", lossUntil: until, written: 20 } });
  const after = afterLoss(
    { ...underWay, phase: "settle", lossUntil: until },
    { losses: 1, followed: { until, isPassed: true }, outcomes },
  );
  const counts = { totalRecords: 23, inserted: 12, rejected: 11 };
  expect(after).toMatchObject({
    kind: "more",
    progress: { losses: 1, lost: 8, written: 12 },
    completedItems: 23,
    result: counts,
  });
  expect(after).not.toHaveProperty("progress.lossUntil");
});

test("rows that the log lost are a rejection of their own when the import ends, and all of them make it fail", () => {
  const lossy = { ...underWay, phase: "settle" as const, losses: 1, lost: 8, written: 12, refused: 0 };
  const rejections = [{ index: 20, code: "LOST_FROM_LOG", message: expect.stringContaining("lost 8 rows") }];
  expect(afterWait({}, lossy, { ...none, inserted: 12 })).toMatchObject({
    kind: "done",
    rejections,
    totalItems: 20,
    result: { totalRecords: 20, inserted: 12, rejected: 8 },
  });
  expect(afterWait({}, { ...lossy, written: 0 }, none)).toMatchObject({
    kind: "failed",
    error: { code: "ALL_ROWS_REJECTED" },
    rejections,
  });
});
