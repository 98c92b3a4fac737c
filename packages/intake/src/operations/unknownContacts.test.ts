import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import { addContactsToList } from "./addContactsToList/addContactsToList.ts";
import { addProductsToCart } from "./addProductsToCart/addProductsToCart.ts";
import { createContactactivities } from "./createContactactivities/createContactactivities.ts";
import { removeContactsFromList } from "./removeContactsFromList/removeContactsFromList.ts";
import { upsertContact } from "./upsertContact/upsertContact.ts";
import { upsertOrder } from "./upsertOrder/upsertOrder.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const version = versionOf(1_000, { lane: 1, partition: 0, offset: 1, place: 0 });
const contact = { identifiers: { email: "nobody@x.org" } };
const vip = { contact, listName: "vip" };
const order = { contact, order: { orderID: "o1", purchaseDate: "2026-01-01", items: [] } };
const cart = { contact, products: [{ productID: "p", sku: "1", category: "c", name: "n", qty: 1 }] };
const onlyById = { identifiers: { cID: "65f0c0ffee65f0c0ffee0001" }, attributes: { plan: "x" }, canBeCreated: true };

test.each([
  [true, "that may create its contact", upsertContact, { contact }],
  [true, "that may create its contact", addProductsToCart, cart],
  [true, "that may create its contact", upsertOrder, order],
  [true, "that may create its contact", addContactsToList, vip],
  [false, "that takes members off", removeContactsFromList, vip],
  [
    false,
    "of which /v2 writes some",
    createContactactivities,
    { contact, event: { name: "browse", time: "2026-01-01" } },
  ],
  [false, "that has nothing but a cID", upsertContact, { contact: onlyById }],
])("`canBeCreated` is named: %s, for a record %s", (isNamed, _what, operation, members) => {
  const state = new MemoryState();
  state.defineList(1, { id: 1, name: "vip", clearedVersion: undefined });
  const record = { id: "r:0:4", receivedAt: 0, ...members };
  const [outcome] = state.apply(account, [{ operation, version, record }]);
  expect(outcome).toMatchObject({
    code: "CONTACTS_CONTACT_NOT_FOUND",
    message: isNamed ? expect.stringContaining("`canBeCreated` is not set") : expect.stringContaining("creates none"),
  });
});
