import { type Account, defaultSettings, type MessageDataCondition } from "@headwater/contracts";
import type { CreateContactactivitiesRecord } from "@headwater/intake/operations/createContactactivities/schema";
import { operations } from "@headwater/intake/operations/registry";
import type { LoggedRecord } from "@headwater/intake/state/loggedRecord";
import { type ReadTrigger, readConditions, toTriggeredEvents } from "@headwater/intake/state/triggeredEvents";
import { CONDITIONS_CHARACTERS_MAX, EVENT_TRIGGERS_MAX } from "@headwater/messaging/templates/resolveTriggers";
import { applied, type Outcome } from "@headwater/records/fold/outcome";
import { describe, expect, test } from "vitest";
import { CORE_MS_MAX, coreMs } from "./coreTime.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "law", settings: defaultSettings };
const activities = operations.find(({ name }) => name === "createContactactivities");
const BATCH_BYTES = 1024 * 1024;
const RECORDS_MAX = 2_000;

/** Activities that together fill a batch, each with the same properties. */
function batchOf(properties: Readonly<Record<string, unknown>>): { records: LoggedRecord[]; outcomes: Outcome[] } {
  if (activities === undefined) throw new Error("no activities");
  const operation = activities;
  const contact = { identifiers: { email: "law@example.com" } };
  const event = { name: "buy", time: "2026-01-01T10:00:00Z", properties };
  const count = Math.min(RECORDS_MAX, Math.ceil(BATCH_BYTES / JSON.stringify(event).length));
  const records = Array.from({ length: count }, (_, position): LoggedRecord => {
    const record: CreateContactactivitiesRecord = { id: `r:0:${position}`, receivedAt: 0, contact, event };
    const reads = { identifiers: [], members: false };
    return { account, operation, record, reads, version: "0".repeat(32), offset: 0, place: position };
  });
  return { records, outcomes: records.map(() => applied(1)) };
}

const KIB = 1024;
const long = 230 * KIB;
const repeated = (count: number, make: (index: number) => MessageDataCondition) =>
  Array.from({ length: count }, (_, n) => make(n));
const values = Array.from({ length: 100 }, (_, n) => "1".repeat(100 + (n % 50)));

const cases: Readonly<Record<string, readonly [Readonly<Record<string, unknown>>, readonly MessageDataCondition[]]>> = {
  "texts that are searched for texts like themselves": [
    { text: "a".repeat(long) },
    repeated(14, (n) => ({ field: "text", op: "notContains", value: `b${"a".repeat(1_000 + n)}` })),
  ],
  "texts of a repeated pattern": [
    { text: "ab".repeat(long / 2) },
    repeated(14, (n) => ({ field: "text", op: "notContains", value: `${"ab".repeat(500)}b${n}` })),
  ],
  "long numbers compared with many": [{ text: "1".repeat(long) }, [{ field: "text", op: "notIn", value: values }]],
  "small numbers compared with many": [{ text: "1".repeat(400) }, [{ field: "text", op: "notIn", value: values }]],
  "wide arrays": [
    { text: Array.from({ length: 60_000 }, () => "1") },
    repeated(14, () => ({ field: "text", op: "notContains", value: "1".repeat(1_000) })),
  ],
  "paths of many parts": [{ a: 1 }, repeated(20, () => ({ field: `${"a.".repeat(127)}a`, op: "notExists" }))],
  "no conditions at all": [{ text: "a".repeat(long) }, []],
};

describe.each(Object.entries(cases))("%s", (_what, [properties, conditions]) => {
  test(`as many triggers as an account may have take less than ${CORE_MS_MAX} ms of a core for a batch`, () => {
    const text = JSON.stringify(conditions);
    expect(text.length).toBeLessThanOrEqual(CONDITIONS_CHARACTERS_MAX);
    const triggers = Array.from({ length: EVENT_TRIGGERS_MAX }, (_, n): ReadTrigger => {
      return { account: account.number, mdtId: String(n).padStart(24, "0"), action: "buy", conditions };
    });
    const { records, outcomes } = batchOf(properties);
    expect(coreMs(() => toTriggeredEvents(records, outcomes, triggers))).toBeLessThan(CORE_MS_MAX);
  });
});

test(`the longest conditions of all triggers of an account are read in less than ${CORE_MS_MAX} ms of a core`, () => {
  const conditions: MessageDataCondition[] = [{ field: "a", op: "in", value: values.map((_, n) => `${n}`) }];
  while (JSON.stringify([...conditions, ...conditions]).length < CONDITIONS_CHARACTERS_MAX && conditions.length < 10)
    conditions.push(...conditions);
  const text = JSON.stringify(conditions);
  expect(coreMs(() => Array.from({ length: EVENT_TRIGGERS_MAX }, () => readConditions(text)))).toBeLessThan(
    CORE_MS_MAX,
  );
});
