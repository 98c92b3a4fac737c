import { type Account, defaultSettings, type shapes, versionOf } from "@headwater/contracts";
import { readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { BatchState } from "@headwater/records/unitOfWork/batchState";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { expect, test } from "vitest";
import type { z } from "zod";
import { importContact } from "./importContact.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const SUBSCRIBED_MS = Date.UTC(2026, 0, 9, 22, 47, 12);

function originAt(timeMs: number) {
  const version = versionOf(timeMs, { lane: 1, partition: 0, offset: 0, place: 0 });
  return { account, recordId: `r${timeMs}:0:0`, version };
}

/** State in which a contact subscribed. */
function subscribed() {
  const rows = emptyRows();
  rows.owners.set(account.number, { name: "email", value: "a@x" }, null);
  rows.numbers.push(7);
  const state = new BatchState(rows).of(account.number);
  importContact.fold(state, importing(), originAt(SUBSCRIBED_MS));
  return state;
}

function importing(subscribedAt?: string) {
  const email = { address: "a@x", subscribeStatus: "subscribed" as const, ...(subscribedAt && { subscribedAt }) };
  const attributes = { channels: { email } };
  const contact = { identifiers: { email: "a@x" }, attributes, canBeCreated: true, canBeUpdated: true };
  return { id: "r:0:1", receivedAt: 0, contact, strategy: "upsert" as const };
}

test("a contact that is imported as it was exported is unchanged, its moment of subscribing included", () => {
  const row = importing(new Date(SUBSCRIBED_MS).toISOString());
  const folded = importContact.fold(subscribed(), row, originAt(SUBSCRIBED_MS + 60_000));
  expect(folded).toMatchObject({ kind: "skipped", code: "UNCHANGED", changeEvents: [] });
});

test("a contact that is imported with another moment of subscribing is changed", () => {
  const row = importing("2026-01-01T00:00:00.000Z");
  const { changeEvents } = importContact.fold(subscribed(), row, originAt(SUBSCRIBED_MS + 60_000));
  expect(changeEvents).toHaveLength(1);
});

test("a text that spells the stored value of an attribute without a type is that value, from a source without types alone", () => {
  const stored = { size: 5, isNew: true, tags: ["a", "b"], note: "[1, 2]", code: "007" };
  const spelled = { size: "5", isNew: "true", tags: '["a","b"]', note: [1, 2], code: "007" };
  const rowOf = (attributes: object, isSpelled: boolean) => ({
    ...importing(),
    contact: { identifiers: { email: "a@x" }, attributes: { ...attributes }, canBeCreated: true, canBeUpdated: true },
    ...(isSpelled && { isSpelled }),
  });
  const fold = (attributes: object, isSpelled: boolean) => {
    const state = subscribed();
    const row = rowOf(attributes, isSpelled);
    const origin = { ...originAt(SUBSCRIBED_MS + 60_000), read: readIdentifiers(row.contact, originAt(SUBSCRIBED_MS)) };
    importContact.fold(state, rowOf(stored, false), originAt(SUBSCRIBED_MS + 30_000));
    return importContact.fold(state, row, origin);
  };
  expect(fold(spelled, true)).toMatchObject({ kind: "skipped", code: "UNCHANGED" });
  expect(fold(spelled, false)).toMatchObject({ kind: "applied" });
  expect(fold({ ...spelled, size: "6" }, true)).toMatchObject({ kind: "applied" });
});

test("texts that spell the items of a stored array are those items, from a source that has no other lists", () => {
  const rule = { type: "array" } as const;
  const typed = { ...account, attributes: new Map([["scores", rule]]) };
  const rowOf = (scores: unknown, more: object = {}) => ({
    ...importing(),
    contact: { identifiers: { email: "a@x" }, attributes: { scores }, canBeCreated: true, canBeUpdated: true },
    ...more,
  });
  const fold = (stored: unknown, input: unknown, more: object) => {
    const state = subscribed();
    const originOf = (timeMs: number) => {
      const origin = { ...originAt(timeMs), account: typed };
      return { ...origin, read: readIdentifiers(rowOf(input).contact, origin) };
    };
    importContact.fold(state, rowOf(stored), originOf(SUBSCRIBED_MS + 30_000));
    return importContact.fold(state, rowOf(input, more), originOf(SUBSCRIBED_MS + 60_000));
  };
  const spelled = { isSpelled: true };
  expect(fold([1, 2.5, "a", true], ["1", "2.5", "a", "true"], spelled)).toMatchObject({ code: "UNCHANGED" });
  expect(fold([1e21, "007", null], ["1e21", "007", ""], spelled)).toMatchObject({ code: "UNCHANGED" });
  expect(fold([1, 2], ["1", "3"], spelled)).toMatchObject({ kind: "applied" });
  expect(fold([1, 2], ["1", "2", "3"], spelled)).toMatchObject({ kind: "applied" });
  expect(fold([1, 2], ["1", "2"], { spellsStructures: true })).toMatchObject({ kind: "applied" });
});

test.each([
  ["email", "email", "a@x", " A@X "],
  ["sms", "phone", "+4915112345678", "+49 151 12345678"],
  ["push", "channels.push.address", "token-1", "token-1"],
])(
  "an address of %s that the contact shows because it is known by it is not written",
  (channel, name, value, address) => {
    const rows = emptyRows();
    rows.owners.set(account.number, { name, value }, null);
    rows.numbers.push(7);
    const state = new BatchState(rows).of(account.number);
    const fold = (attributes: z.output<typeof shapes.attributes>, timeMs: number) => {
      const contact = { identifiers: { [name]: value }, attributes, canBeCreated: true, canBeUpdated: true };
      const read = readIdentifiers(contact, originAt(timeMs));
      return importContact.fold(state, { ...importing(), contact }, { ...originAt(timeMs), read });
    };
    fold({ first_name: "Ann" }, SUBSCRIBED_MS);
    const exported = { first_name: "Ann", channels: { [channel]: { address, subscribeStatus: "none" as const } } };
    const again = fold(exported, SUBSCRIBED_MS + 60_000);
    expect(again).toMatchObject({ kind: "skipped", code: "UNCHANGED", changeEvents: [] });
  },
);

test.each([
  ["a date alone", "2026-03-05", "2026-03-04T23:00:00.000Z", "UNCHANGED"],
  ["another zone", "2026-03-05T02:00:00+02:00", "2026-03-05T00:00:00.000Z", "UNCHANGED"],
  ["another moment", "2026-03-05", "2026-03-05T00:00:00.000Z", undefined],
])("a time of subscribing that was given as %s is changed by another moment alone", (_of, provided, exported, code) => {
  const settings = { ...defaultSettings, timezone: "Europe/Berlin" };
  const state = subscribed();
  const fold = (subscribedAt: string, timeMs: number) => {
    const row = importing(subscribedAt);
    const origin = { ...originAt(timeMs), account: { ...account, settings } };
    return importContact.fold(state, row, { ...origin, read: readIdentifiers(row.contact, origin) });
  };
  fold(provided, SUBSCRIBED_MS + 30_000);
  const folded = fold(exported, SUBSCRIBED_MS + 60_000);
  expect(folded).toMatchObject(code === undefined ? { kind: "applied" } : { kind: "skipped", code, changeEvents: [] });
});

test("of a file of cells what spells the stored text of an array or object is that text, and a number is a number", () => {
  const rowOf = (attributes: object, spellsStructures?: boolean) => ({
    ...importing(),
    contact: { identifiers: { email: "a@x" }, attributes: { ...attributes }, canBeCreated: true, canBeUpdated: true },
    ...(spellsStructures && { spellsStructures }),
  });
  const fold = (attributes: object, spellsStructures: boolean) => {
    const state = subscribed();
    const row = rowOf(attributes, spellsStructures);
    const origin = { ...originAt(SUBSCRIBED_MS + 60_000), read: readIdentifiers(row.contact, originAt(SUBSCRIBED_MS)) };
    importContact.fold(state, rowOf({ tags: '["a"]', place: '{"x": 1}', size: "5" }), originAt(SUBSCRIBED_MS + 30_000));
    return importContact.fold(state, row, origin);
  };
  expect(fold({ tags: ["a"], place: { x: 1 } }, true)).toMatchObject({ kind: "skipped", code: "UNCHANGED" });
  expect(fold({ tags: ["b"] }, true)).toMatchObject({ kind: "applied" });
  expect(fold({ size: 5 }, true)).toMatchObject({ kind: "applied" });
  expect(fold({ tags: ["a"] }, false)).toMatchObject({ kind: "applied" });
});
