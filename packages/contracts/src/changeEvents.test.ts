import { describe, expect, test } from "vitest";
import { readChangeEvent, suppressesTriggers, triggerMark } from "./changeEvents.ts";
import { lanes, versionOf } from "./version.ts";

const version = "0".repeat(31).concat("1");
const membership = { account: 1, list: 2, contact: 3, present: true, joinedAt: 4, version };
const contact = {
  account: 1,
  contact: 3,
  cid: "c",
  createdAt: 1,
  lastModified: 2,
  version,
  fields: [["attributes.a", 1]],
};

describe("a change event", () => {
  test("is read with the kind of its topic", () => {
    expect(readChangeEvent("changes.memberships", membership)).toEqual({ kind: "membership", value: membership });
    expect(readChangeEvent("changes.contacts", contact)).toEqual({ kind: "contact", value: contact });
  });

  test("keeps members that a newer writer added", () => {
    const newer = { ...membership, reason: "import" };
    expect(readChangeEvent("changes.memberships", newer)).toEqual({ kind: "membership", value: newer });
  });

  test.each([
    ["of another topic", "changes.orders", membership],
    ["of a topic that holds none", "intake.records", membership],
    ["without its version", "changes.memberships", { ...membership, version: undefined }],
    ["with a version of another form", "changes.memberships", { ...membership, version: "1" }],
    ["with a field that names no path", "changes.contacts", { ...contact, fields: [[1, 2]] }],
    ["with a field that has no value", "changes.contacts", { ...contact, fields: [["attributes.a"]] }],
    ["whose order is no object", "changes.orders", { ...membership, order: [] }],
    ["that is null", "changes.carts", null],
  ])("%s is poison", (_, topic, value) => {
    expect(readChangeEvent(topic, value)).toBeUndefined();
  });
});

describe("whether a change starts something", () => {
  const at = (lane: number) => versionOf(1_000, { lane, partition: 1, offset: 2, place: 3 });

  test.each([
    ["a record", at(lanes["intake.records"]), false],
    ["a write of `/v2`", at(lanes.v2), false],
    ["a row of an import", at(lanes["intake.bulk"]), true],
  ])("is written only where it differs from the default of %s, and read back", (_what, own, byDefault) => {
    for (const isSuppressed of [true, false]) {
      const mark = triggerMark(own, isSuppressed);
      expect(mark).toEqual(isSuppressed === byDefault ? {} : { suppressTriggers: isSuppressed });
      expect(suppressesTriggers({ version: own, ...mark })).toBe(isSuppressed);
    }
  });
});
