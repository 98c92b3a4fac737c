import { type Account, type AttributeRule, defaultSettings, versionOf } from "@headwater/contracts";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { MemoryState } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { addProductsToCart } from "./addProductsToCart/addProductsToCart.ts";
import { createContactactivities } from "./createContactactivities/createContactactivities.ts";
import type { LoggedOperation } from "./operation.ts";
import { upsertContact } from "./upsertContact/upsertContact.ts";
import { upsertOrder } from "./upsertOrder/upsertOrder.ts";

const rules: readonly (readonly [string, AttributeRule])[] = [
  ["n", { type: "number" }],
  ["home", { type: "geo" }],
];
const accountOf = (strictAttributes: boolean): Account => ({
  ...{ number: 1, id: "a".repeat(24), name: "test", settings: { ...defaultSettings, strictAttributes } },
  attributes: new Map(rules),
});
const identifiers = { email: "a@x.org" };
const built = { identifiers, attributes: { n: 1, home: { city: "Rome" } }, canBeCreated: true };

/** Sends one record to a contact that is there, or to nobody. */
function after(operation: LoggedOperation, members: object, { strict = false, isThere = true } = {}) {
  const state = new MemoryState();
  const apply = (of: LoggedOperation, input: object, offset: number) => {
    const version = versionOf(1_000 + offset, { lane: 1, partition: 0, offset, place: 0 });
    const record = { id: `r${offset}:0:0`, receivedAt: 0, ...input };
    return state.apply(accountOf(strict), [{ operation: of, version, record }])[0];
  };
  if (isThere) apply(upsertContact, { contact: built }, 0);
  const outcome = apply(operation, members, 1);
  const [row] = [...state.contacts.values()];
  return { outcome, attributes: row && fromRow(row).attributes };
}

const event = { name: "browse", time: "2026-01-01" };
const order = { orderID: "o1", purchaseDate: "2026-01-01", items: [] };
const products = [{ productID: "p", sku: "1", category: "c", name: "n", qty: 1 }];
const operations: readonly [string, LoggedOperation, object][] = [
  ["an activity", createContactactivities, { event }],
  ["an order", upsertOrder, { order }],
  ["a cart change", addProductsToCart, { products }],
];

describe("without canBeUpdated", () => {
  test.each(operations)("%s is applied whatever its attributes are", (_, operation, members) => {
    for (const [attributes, strict] of [[{ n: "bad" }, false] as const, [{ unknown: 1 }, true] as const]) {
      const { outcome, attributes: stored } = after(
        operation,
        { contact: { identifiers, attributes }, ...members },
        { strict },
      );
      expect(outcome).toMatchObject({ kind: "applied", warnings: new Set(["UPDATE_NOT_ALLOWED"]) });
      expect(stored?.get("n")?.value).toBe(1);
    }
  });

  test("a contact's write is skipped, not rejected", () => {
    const contact = { identifiers, attributes: { n: "bad" } };
    expect(after(upsertContact, { contact }).outcome).toMatchObject({ kind: "skipped", code: "UPDATE_NOT_ALLOWED" });
  });

  test("a record whose contact is not there is parked, and rejected where it would create it", () => {
    const contact = { identifiers, attributes: { n: "bad" } };
    const isThere = false;
    expect(after(createContactactivities, { contact, event }, { isThere }).outcome).toMatchObject({
      code: "CONTACTS_CONTACT_NOT_FOUND",
    });
    const created = { ...contact, canBeCreated: true };
    expect(after(createContactactivities, { contact: created, event }, { isThere }).outcome).toMatchObject({
      code: "ATTRIBUTE_TYPE_MISMATCH",
    });
  });
});

describe("restricted attributes", () => {
  const write = (attributes: object, ...restrictedUpdateAttrKeys: string[]) => ({
    contact: { identifiers, attributes, canBeUpdated: true, restrictedUpdateAttrKeys },
  });

  test("a value that is set is left, whatever is given for it", () => {
    const { outcome, attributes } = after(upsertContact, write({ n: "bad", plan: "x" }, "n"));
    expect(outcome).toMatchObject({ kind: "applied" });
    expect([attributes?.get("n")?.value, attributes?.get("plan")?.value]).toEqual([1, "x"]);
    const skipped = { kind: "skipped", code: "ATTRIBUTES_RESTRICTED" };
    expect(after(upsertContact, write({ n: "bad" }, "n")).outcome).toMatchObject(skipped);
    expect(after(upsertContact, write({ "home.city": 1 }, "home.city")).outcome).toMatchObject(skipped);
    expect(after(upsertContact, write({ "home.planet": 1 }, "home")).outcome).toMatchObject(skipped);
  });

  test("a wrong value is refused where none is set", () => {
    const mismatch = { kind: "rejected", code: "ATTRIBUTE_TYPE_MISMATCH" };
    expect(after(upsertContact, write({ n: 2, "home.state": 1 }, "n", "home.state")).outcome).toMatchObject(mismatch);
    expect(after(upsertContact, write({ n: "bad" }, "plan")).outcome).toMatchObject(mismatch);
    expect(after(upsertContact, write({ n: "bad" }, "n"), { isThere: false }).outcome).toMatchObject({
      code: "CONTACTS_CONTACT_NOT_FOUND",
    });
  });
});
