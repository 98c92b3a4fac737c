import { defaultSettings } from "@headwater/contracts";
import { applied, skipped } from "@headwater/records/fold/outcome";
import { expect, test } from "vitest";
import { operations } from "../operations/registry.ts";
import { openResolutions, toResolutions } from "./activityResolutions.ts";

const account = { number: 1, id: "a".repeat(24), name: "a", settings: defaultSettings };

function located(name: string, offset: number, position: number) {
  const operation = operations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const record = { id: `r:${offset}:${position}`, receivedAt: 0 };
  const reads = { identifiers: [], members: false };
  return { account, operation, record, reads, version: "0".repeat(32), offset, place: position };
}

const records = [
  located("createContactactivities", 10, 0),
  located("createContactactivities", 10, 1),
  located("upsertContact", 11, 0),
  located("createContactactivities", 12, 0),
];
const outcomes = [applied(7), skipped("DUPLICATE"), applied(9), applied(8)];
const batch = { firstOffset: 10, nextOffset: 13, resolutions: toResolutions(records, outcomes, 10) };

test("every activity has its contact, and 0 when it is left out", () => {
  const contactOf = openResolutions([batch]);
  expect([contactOf(10, 0), contactOf(10, 1), contactOf(12, 0)]).toEqual([7, 0, 8]);
});

test("a range that begins in the middle of a batch reads the resolutions of its own records", () => {
  expect(openResolutions([batch])(12, 0)).toBe(8);
});

test("what the batch did not hold has no resolution", () => {
  const contactOf = openResolutions([batch]);
  expect([contactOf(11, 0), contactOf(10, 2), contactOf(13, 0)]).toEqual([undefined, undefined, undefined]);
});

test("a batch without activities has nothing to say", () => {
  expect(toResolutions([located("upsertContact", 3, 0)], [applied(1)], 3)).toHaveLength(0);
});
