import { defaultSettings } from "@headwater/contracts";
import { applied, rejected, skipped } from "@headwater/records/fold/outcome";
import { expect, test } from "vitest";
import { operations } from "../operations/registry.ts";
import type { LoggedRecord } from "./loggedRecord.ts";
import { toOutcomeCounts } from "./outcomeCounts.ts";

const HOUR = 3_600_000;
const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const [operation] = operations;

function located(id: string, more: { receivedAt?: number; redriveOf?: string; once?: string } = {}): LoggedRecord {
  const record = { id, receivedAt: 10 * HOUR, ...more };
  const reads = { identifiers: [], members: false };
  return { account, operation, record, reads, version: "0".repeat(32), offset: 0, place: 0 };
}

const zero = { account: 1, operation: "upsertContact", applied: 0, skipped: 0, copies: 0 };

test("records are counted by the hour intake took them; rejected ones are rows of their own", () => {
  const records = [
    located("a"),
    located("b"),
    located("c", { receivedAt: 11 * HOUR - 1 }),
    located("d", { receivedAt: 11 * HOUR }),
  ];
  const outcomes = [applied(1), skipped("UNCHANGED"), rejected("VALIDATION_ERROR", "", ""), applied(1)];
  expect(toOutcomeCounts(records, outcomes, new Set())).toEqual([
    { ...zero, hour: 10, applied: 1, skipped: 1 },
    { ...zero, hour: 11, applied: 1 },
  ]);
});

test("a copy is no outcome, and a parked record that comes again has none but its end", () => {
  const again = located("p", { redriveOf: "p" });
  const redrive = located("job:0:0", { redriveOf: "r" });
  const duplicate = skipped("DUPLICATE");
  expect(
    toOutcomeCounts([located("k"), redrive, again], [duplicate, duplicate, duplicate], new Set([0, 1, 2])),
  ).toEqual([{ ...zero, hour: 10, copies: 2 }]);
  expect(toOutcomeCounts([redrive, again], [applied(1), applied(1)], new Set())).toEqual([
    { ...zero, hour: 10, applied: 2 },
  ]);
});

test("what a partner sends again is a record of its own that was skipped; tried again and copied, it is no record at all", () => {
  const repeat = located("m:0:0", { once: "e1:0" });
  const again = located("p", { once: "e2:0", redriveOf: "p" });
  const duplicate = skipped("DUPLICATE");
  expect(toOutcomeCounts([repeat, again], [duplicate, duplicate], new Set([0, 1]))).toEqual([
    { ...zero, hour: 10, skipped: 1 },
  ]);
});
