import { type ChangeEvent, type ContactChangeEvent, timeOfVersion, versionOf } from "@headwater/contracts";
import { expect, test } from "vitest";
import { writeChange } from "./historyRows.ts";
import type { SinkTables } from "./sink.ts";

const REVISION = 9;
const at = (ms: number) => versionOf(ms, { lane: 1, partition: 0, offset: 0, place: 0 });
const version = at(1_700_000_000_000);

/** Returns the rows that a change writes, each with its table, in order. */
function rowsOf(change: ChangeEvent) {
  const rows: (readonly [table: string, row: unknown])[] = [];
  const add: SinkTables["add"] = (table, row) => void rows.push([table.name, row]);
  writeChange({ add }, change, REVISION);
  return rows;
}

function contact(members: Partial<ContactChangeEvent>): ChangeEvent {
  const value = { account: 1, contact: 5, cid: "c", createdAt: 1, lastModified: 2, version, fields: [], ...members };
  return { kind: "contact", value };
}

test("aliases of a contact come before its row, so that no count sees a merged contact twice", () => {
  const rows = rowsOf(contact({ aliases: [3, 4] }));
  expect(rows.map(([table]) => table)).toEqual(["contact_aliases", "contact_aliases", "contacts_current"]);
  expect(rows.slice(0, 2).map(([, row]) => row)).toEqual(
    [3, 4].map((alias) => ({ account: 1, contact: alias, survivor: 5, revision: REVISION })),
  );
});

test("a contact that lives again ends its alias", () => {
  expect(rowsOf(contact({ ownAgain: true }))[0]).toEqual([
    "contact_aliases",
    { account: 1, contact: 5, survivor: 0, revision: REVISION },
  ]);
});

test("fields are written to the state and the history, each under its own version", () => {
  const older = at(1_600_000_000_000);
  const rows = rowsOf(contact({ fields: [["attributes.city", "Rome", older]] }));
  const row = { account: 1, contact: 5, field: "attributes.city", kind: "string", text: "Rome", version: older };
  expect(rows.slice(1)).toMatchObject([
    ["contact_fields_current", { ...row, revision: REVISION }],
    ["contact_fields_history", { ...row, at: timeOfVersion(older) }],
  ]);
});

test.each([
  [null, "removed", "", null],
  ["12.5", "string", "12.5", 12.5],
  ["Rome", "string", "Rome", null],
  [7, "number", "7", 7],
  [true, "boolean", "true", null],
  [[1, "a"], "array", '[1,"a"]', null],
  [{ a: 1 }, "object", '{"a":1}', null],
] as const)("a field of %j is written as %s with the text %j and the number %j", (value, kind, text, number) => {
  const [, [, row] = []] = rowsOf(contact({ fields: [["attributes.x", value]] }));
  expect(row).toMatchObject({ kind, text, number });
});

test("a merged contact is gone, and its removed fields are no part of the history", () => {
  const rows = rowsOf(contact({ mergedInto: 8, fields: [["email", null]] }));
  expect(rows.map(([table]) => table)).toEqual(["contacts_current", "contact_fields_current"]);
  expect(rows[0]?.[1]).toMatchObject({ contact: 5, merged_into: 8, deleted: true });
});

test("an erased contact is gone without a survivor", () => {
  expect(rowsOf(contact({ erased: true }))[0]?.[1]).toMatchObject({ merged_into: 0, deleted: true });
});

test.each([
  [undefined, ["memberships_current", "memberships_history"]],
  [true, ["memberships_current"]],
])("a membership with merge %j is written to %j", (merge, tables) => {
  const value = { account: 1, list: 2, contact: 5, present: false, joinedAt: 3, version, merge };
  const rows = rowsOf({ kind: "membership", value });
  expect(rows.map(([table]) => table)).toEqual(tables);
  for (const [, row] of rows) expect(row).toMatchObject({ list: 2, present: false, joined_at: 3 });
});

test("an order keeps its total to the ten-thousandth, now and in the history", () => {
  const value = { account: 1, contact: 5, orderId: "o", version, purchasedAt: 4, status: "Paid", counts: true };
  const rows = rowsOf({ kind: "order", value: { ...value, currency: "EUR", total: "12.3456", order: { id: "o" } } });
  const row = { order_id: "o", total: 123_456n, counts: true, deleted: false, document: '{"id":"o"}' };
  expect(rows).toMatchObject([
    ["orders_current", { ...row, revision: REVISION }],
    ["orders_history", { ...row, revision: REVISION, at: timeOfVersion(version) }],
  ]);
});

test("a cart that a merge moved leaves the present and not the history", () => {
  const value = { account: 1, contact: 5, version, cartId: "k", lines: 0, expiresAt: null, total: null, cart: {} };
  expect(rowsOf({ kind: "cart", value: { ...value, merge: true } })).toMatchObject([
    ["carts_current", { deleted: true, expires_at: null, total: null }],
  ]);
  expect(rowsOf({ kind: "cart", value }).map(([table]) => table)).toEqual(["carts_current", "carts_history"]);
});

test("a supplement record of nobody has the contact 0", () => {
  const value = { account: 1, supplement: 2, id: "r", contact: null, version, createdAt: 1, lastModified: 2 };
  expect(rowsOf({ kind: "record", value: { ...value, record: { id: "r" } } })).toMatchObject([
    ["supplement_records_current", { contact: 0, deleted: false }],
    ["supplement_records_history", { contact: 0, deleted: false }],
  ]);
});
