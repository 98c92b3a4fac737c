import { defaultSettings, ZERO_VERSION } from "@headwater/contracts";
import { type Outcome, rejected } from "@headwater/records/fold/outcome";
import { expect, test } from "vitest";
import { operations } from "../operations/registry.ts";
import type { LoggedRecord } from "./loggedRecord.ts";
import { NO_ACCOUNT, PARKED_FOR_MS, toRejectRow, toUndecodableRow } from "./rejectRows.ts";

const account = { number: 4, id: "a".repeat(24), name: "test", settings: defaultSettings };
const [operation] = operations;
const at = { topic: "intake.records", partition: 2, nowMs: 1_000, parkedForMs: PARKED_FOR_MS };

function located(record: object = {}): LoggedRecord {
  const reads = { identifiers: [], members: false };
  const known = { id: "request:3:1", receivedAt: 7, ...record };
  return { account, operation, record: known, reads, version: ZERO_VERSION, offset: 5, place: 6 };
}

function rejection(...input: Parameters<typeof rejected>): Extract<Outcome, { kind: "rejected" }> {
  const outcome = rejected(...input);
  if (outcome.kind !== "rejected") throw new Error("rejected makes a rejection");
  return outcome;
}

const unknown = rejection("CONTACTS_CONTACT_NOT_FOUND", "/contact", "There is no such contact.");

test("a rejected record is an open letter with its place, its request and its item", () => {
  const row = toRejectRow(located(), rejection("VALIDATION_ERROR", "/a", "Wrong."), { ...at, attempts: 0 });
  expect(row).toMatchObject({ account: 4, requestId: "request", itemIndex: 3, logOffset: 5, place: 6, dueAt: null });
  expect(row).toMatchObject({ status: "open", code: "VALIDATION_ERROR", path: "/a", receivedAt: 7, rejectedAt: 1_000 });
});

test.each([
  [0, "parked", 1_000 + PARKED_FOR_MS[0]],
  [1, "parked", 1_000 + PARKED_FOR_MS[1]],
  [2, "open", null],
])("a record of an unknown contact after %i attempts is %s", (attempts, status, dueAt) => {
  expect(toRejectRow(located(), unknown, { ...at, attempts })).toMatchObject({ status, dueAt });
});

test("a record that a redrive wrote names the one it stands for", () => {
  expect(toRejectRow(located({ redriveOf: "other:0:0" }), unknown, { ...at, attempts: 0 })).toMatchObject({
    redriveOf: "other:0:0",
  });
  // A parked record that comes again stands for itself.
  expect(toRejectRow(located({ redriveOf: "request:3:1" }), unknown, { ...at, attempts: 1 })).not.toHaveProperty(
    "redriveOf",
  );
});

test("an undecodable message is a letter of nobody, named by its place, and so is a member of one", () => {
  const message = { offset: 9, timeMs: 5, reason: "no frame", payload: "AAAA" };
  expect(toUndecodableRow(message, at)).toMatchObject({
    account: NO_ACCOUNT,
    recordId: "intake.records:2:9",
    place: 0,
  });
  expect(toUndecodableRow({ ...message, place: 3 }, at)).toMatchObject({ recordId: "intake.records:2:9:3", place: 3 });
});
