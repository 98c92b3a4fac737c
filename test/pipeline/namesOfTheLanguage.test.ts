import { createSupplement } from "@headwater/records/supplements/supplements";
import { describe, expect } from "vitest";
import { test } from "./sharedStack.ts";

/** Names that every object of the language has. */
const plain = { constructor: "c", toString: "t", hasOwnProperty: "h", valueOf: "v", __defineGetter__: "g" };
/** Names of the language, and a dotted one that goes through the prototype. */
const named = { "a.__proto__.b": "kept", ...plain };

describe("names that the language knows, end to end", () => {
  test("are kept and shown as properties, attributes, identifiers, fields, channels and lists", async ({ stack }) => {
    const caller = await stack.caller("language");
    await createSupplement(stack.postgres, {
      account: caller.account,
      key: "constructor",
      indexes: [],
      contactObject: true,
      autogenerateIDs: false,
      createdAt: 0,
    });
    const identifiers = { email: "names@x.org", constructor: "id-1", toString: "id-2" };
    const channels = { constructor: { address: "channel-1", subscribeStatus: "subscribed" } };
    const contact = { identifiers, attributes: { ...named, channels }, canBeCreated: true, canBeUpdated: true };
    const event = { name: "constructor", time: "2026-01-09T22:47:12Z", properties: named };
    const item = { productID: "constructor", sku: "toString", name: "n", properties: named, attr: named };
    const order = { orderID: "constructor", purchaseDate: "2026-01-09", items: [item], properties: named };
    const calls: readonly (readonly [string, object])[] = [
      ["upsertContact", contact],
      ["createContactactivities", { contact: { identifiers }, contactactivities: [event] }],
      ["upsertOrder", { contact: { identifiers }, order }],
      ["addProductsToCart", { contact: { identifiers }, products: [{ ...item, category: "c", qty: 1 }] }],
      ["addContactsToList", { identifiers: [identifiers], listName: "constructor" }],
      ["addContactsToList", { identifiers: [identifiers], listName: "toString" }],
      [
        "upsertSupplementsRecords",
        { supplement: "constructor", records: [{ id: "constructor", email: "names@x.org", ...named }] },
      ],
    ];
    let last = "";
    for (const [operation, body] of calls) {
      last = await caller.send(operation, body);
      expect(await caller.settled(last), operation).toMatchObject({ state: "applied" });
    }
    const read = await caller.read("/v2/contacts/email:names@x.org", last);
    expect(read.body.attributes).toEqual(named);
    expect(read.body.channels.constructor).toMatchObject({ address: "channel-1", subscribeStatus: "subscribed" });
    expect(read.body.lists.toSorted()).toEqual(["constructor", "toString"]);
    const field = "identifiers.constructor";
    expect(await caller.count({ field, op: "eq", value: "id-1" }, last)).toBe(1);
    const activities = await caller.read("/v2/contactactivities", last);
    const [{ properties }] = activities.body.data;
    expect(properties).toMatchObject(plain);
    expect(JSON.stringify(properties)).toContain('"a":{"__proto__":{"b":"kept"}}');
    expect((await caller.read("/v2/orders/constructor", last)).body).toMatchObject({
      properties: named,
      items: [{ properties: named, attr: named }],
    });
    expect((await caller.read("/v2/contacts/email:names@x.org/cart", last)).body.items).toMatchObject([
      { properties: named, attr: named },
    ]);
    expect((await caller.read("/v2/supplements/constructor/records/constructor", last)).body).toMatchObject(named);
    expect((await caller.read("/v2/products/constructor", last)).body).toMatchObject({
      variants: [{ sku: "toString", attr: named }],
    });
    const counted = (criteria: object) => caller.count(criteria, last);
    for (const [name, value] of Object.entries(named)) {
      expect([name, await counted({ field: `attributes.${name}`, op: "eq", value })]).toEqual([name, 1]);
      const where = [{ field: name, op: "eq", value }];
      expect([name, await counted({ event: "constructor", where })]).toEqual([name, 1]);
    }
    expect(await counted({ list: "constructor", op: "in" })).toBe(1);
    const history = await caller.read("/v2/contacts/email:names@x.org/history", last);
    expect(JSON.stringify(history.body.data)).toContain("attributes.a.__proto__.b");
  });
});
