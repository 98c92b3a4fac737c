import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { operations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import { fromRow } from "./contactDocument.ts";
import { membersView } from "./membersView.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "addresses", settings: defaultSettings };

/** Upserts one contact. @returns the values that it shows. */
function visibleAfter(contact: object): unknown[] {
  const operation = operations.find(({ name }) => name === "upsertContact");
  if (operation === undefined) throw new Error("no such operation");
  const state = new MemoryState();
  const version = versionOf(1_767_225_600_000, { lane: 1, partition: 0, offset: 0, place: 0 });
  const record = { id: "r:0:0", receivedAt: 0, contact: { ...contact, canBeCreated: true, canBeUpdated: true } };
  state.apply(account, [{ operation, version, record }]);
  const [row] = state.contacts.values();
  if (row === undefined) throw new Error("no contact");
  return [...membersView(fromRow(row), row.version)].map(([, { value }]) => value);
}

const EMAIL = " Ann@Example.com ";
const PHONE = "+49 228 12345";
const identifiers = { customer_id: "7" };

test.each([
  ["identifiers", { identifiers: { email: EMAIL, phone: PHONE } }],
  ["members of their channels", { identifiers, attributes: channels(EMAIL, PHONE) }],
  ["attributes", { identifiers, attributes: { email: EMAIL, phone: PHONE } }],
])("addresses that come as %s are shown in their canonical form", (_where, contact) => {
  const view = visibleAfter(contact);
  expect(view).toEqual(expect.arrayContaining(["ann@example.com", "+4922812345"]));
  expect(view).not.toContain(EMAIL);
  expect(view).not.toContain(PHONE);
});

test("an address without a canonical form, and an attribute that is none, stay as they came", () => {
  const attributes = { ...channels("nobody", "call me"), nickname: EMAIL };
  const displayed = visibleAfter({ identifiers, attributes });
  expect(displayed).toEqual(expect.arrayContaining(["call me", EMAIL]));
});

function channels(email: string, phone: string): object {
  return { channels: { email: { address: email }, sms: { address: phone } } };
}
