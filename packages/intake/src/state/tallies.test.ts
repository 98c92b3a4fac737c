import { defaultSettings, ZERO_VERSION } from "@headwater/contracts";
import { applied, rejected, skipped } from "@headwater/records/fold/outcome";
import { expect, test } from "vitest";
import { operations } from "../operations/registry.ts";
import type { LoggedRecord } from "./loggedRecord.ts";
import { toRequestCounts } from "./storeOutcomes.ts";

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const [operation] = operations;

function located(id: string, more: object = {}): LoggedRecord {
  const reads = { identifiers: [], members: false };
  const record = { id, receivedAt: 0, ...more };
  return { account, operation, record, reads, version: ZERO_VERSION, offset: 0, place: 0 };
}

const skip = skipped("UNCHANGED");

test("skips are counted by request and code, and a request whose records were all applied has no row", () => {
  const records = [located("one:0:0"), located("one:1:0"), located("two:0:0"), located("three:0:0")];
  const outcomes = [skip, skip, skipped("DUPLICATE"), applied(1)];
  expect(toRequestCounts(records, outcomes, new Set())).toEqual([
    { account: 1, requestId: "one", skips: { UNCHANGED: 2 }, warnings: {} },
    { account: 1, requestId: "two", skips: { DUPLICATE: 1 }, warnings: {} },
  ]);
});

test("rejected records, copies and parked records that come again are counted elsewhere", () => {
  const records = [located("a:0:0"), located("b:0:0", { keyed: true }), located("c:0:0", { redriveOf: "c:0:0" })];
  const outcomes = [rejected("VALIDATION_ERROR", "", ""), skipped("DUPLICATE"), skip];
  expect(toRequestCounts(records, outcomes, new Set([1]))).toEqual([]);
});

test("a partner's repeat is a record of its own request, and is counted there", () => {
  const repeat = located("d:0:0", { once: "partner 1" });
  expect(toRequestCounts([repeat], [skipped("DUPLICATE")], new Set([0]))).toMatchObject([{ skips: { DUPLICATE: 1 } }]);
});
