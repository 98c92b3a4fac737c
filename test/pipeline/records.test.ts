import { operations } from "@headwater/intake/operations/registry";
import { createSupplement } from "@headwater/records/supplements/supplements";
import { describe, expect } from "vitest";
import { test } from "./sharedStack.ts";
import type { Stack } from "./stack.ts";

let stack: Stack;

test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
});

const create = { canBeCreated: true, canBeUpdated: true };

describe("a record's way from HTTP to both stores", () => {
  test("the sample of every operation is applied and can be read through /v2", async () => {
    const caller = await stack.caller("samples");
    const cars = { key: "cars", indexes: [], contactObject: true, autogenerateIDs: false, createdAt: 0 };
    await createSupplement(stack.postgres, { account: caller.account, ...cars });
    let last = "";
    for (const { name, sample } of operations) {
      last = await caller.send(name, sample);
      expect(await caller.settled(last), name).toMatchObject({ state: "applied" });
    }
    const contact = await caller.read("/v2/contacts/email:ann@example.com", last);
    expect(contact).toMatchObject({ status: 200, body: { attributes: { first_name: "Ann", lifetime_value: 129.5 } } });
    expect(await caller.read("/v2/orders/A-1001", last)).toMatchObject({ status: 200, body: { totalAmount: 16.5 } });
    const product = await caller.read("/v2/products/85123A", last);
    expect(product).toMatchObject({
      status: 200,
      body: { productName: "White hanging heart", price: 2.55, enabled: false },
    });
    const activities = await caller.read("/v2/contactactivities", last);
    expect(activities.body.data).toMatchObject([{ action: "browse", cID: contact.body.cID }]);
    expect(await caller.count({ and: [] }, last)).toBe(2);
    expect(await caller.count({ list: "vip", op: "in" }, last)).toBe(1);
    expect(await caller.count({ order: true }, last)).toBe(1);
    expect(
      await caller.count({ event: "browse", where: [{ field: "category", op: "eq", value: "Shoes" }] }, last),
    ).toBe(1);
  });

  test("an activity and an order that /v2 writes are read after their receipts, and a deleted order counts no more", async () => {
    const caller = await stack.caller("written");
    const who = { email: "v2@example.com" };
    const created = await caller.send("upsertContact", { identifiers: who, attributes: { plan: "x" }, ...create });
    await caller.settled(created);
    const logged = await caller.write("/v2/contactactivities", { ...who, action: "visit", properties: { shop: 7 } });
    expect(logged.status).toBe(201);
    expect(await caller.settled(logged.receipt)).toMatchObject({ state: "applied", records: { applied: 1 } });
    const { body } = await caller.read("/v2/contactactivities", logged.receipt);
    expect(body.data).toMatchObject([{ action: "visit", email: who.email, properties: { shop: 7 } }]);
    const items = [{ productID: "v2-item", sku: "s", name: "Item", itemPrice: 3 }];
    const order = await caller.write("/v2/orders", { orderID: "v2", purchaseDate: "2026-01-09", ...who, items });
    expect(order.status).toBe(201);
    expect(await caller.count({ order: true }, order.receipt)).toBe(1);
    expect((await caller.read("/v2/products/v2-item", order.receipt)).body).toMatchObject({
      productName: "Item",
      price: 3,
    });
    const gone = await caller.write("/v2/orders/v2", undefined, { method: "DELETE" });
    expect(gone.status).toBe(200);
    expect(await caller.count({ order: true }, gone.receipt)).toBe(0);
    expect((await caller.read("/v2/orders/v2", gone.receipt)).status).toBe(404);
  });

  test("accounts with equal identifiers never see each other", async () => {
    const [one, other] = [await stack.caller("one"), await stack.caller("other")];
    const first = await one.send("upsertContact", {
      identifiers: { email: "same@x.org" },
      attributes: { of: "one" },
      ...create,
    });
    const second = await other.send("upsertContact", {
      identifiers: { email: "same@x.org" },
      attributes: { of: "other" },
      ...create,
    });
    expect((await one.read("/v2/contacts/email:same@x.org", first)).body.attributes).toEqual({ of: "one" });
    expect((await other.read("/v2/contacts/email:same@x.org", second)).body.attributes).toEqual({ of: "other" });
    expect(await one.count({ and: [] }, first)).toBe(1);
    expect((await other.read(`/v2/receipts/${first}`, second)).status).toBe(404);
  });

  test("a merged contact is read under every identifier and counted once", async () => {
    const caller = await stack.caller("merging");
    await caller.send("upsertContact", {
      identifiers: { email: "m@x.org" },
      attributes: { plan: "free", a: 1 },
      ...create,
    });
    const contact = { identifiers: { customer_id: "m7" }, attributes: { plan: "paid", b: 2 }, ...create };
    const browse = { name: "browse", time: "2026-01-09T22:47:12Z" };
    const before = await caller.send("createContactactivities", { contact, contactactivities: [browse, browse] });
    await caller.settled(before);
    const listed = await caller.send("addContactsToList", { identifiers: [{ customer_id: "m7" }], listName: "merged" });
    await caller.settled(listed);
    expect(await caller.count({ and: [] }, listed)).toBe(2);
    const merge = { identifiers: { email: "m@x.org", customer_id: "m7" }, mergeOptions: { mergeAllowed: true } };
    const after = await caller.send("upsertContact", merge);
    expect(await caller.settled(after)).toMatchObject({ state: "applied" });
    const [byEmail, byId] = [
      await caller.read("/v2/contacts/email:m@x.org", after),
      await caller.read("/v2/contacts/customer_id:m7", after),
    ];
    expect(byEmail.body.cID).toBe(byId.body.cID);
    expect(byEmail.body).toMatchObject({ attributes: { plan: "paid", a: 1, b: 2 }, lists: ["merged"] });
    const counts = [
      { and: [] },
      { list: "merged", op: "in" },
      { event: "browse", count: { op: "eq", value: 2 } },
      { field: "attributes.plan", op: "eq", value: "free" },
    ];
    expect(await Promise.all(counts.map((criteria) => caller.count(criteria, after)))).toEqual([1, 1, 1, 0]);
  });

  test("a record whose contact comes a moment later is parked and then applied; one whose contact never comes is rejected", async () => {
    const caller = await stack.caller("parking");
    const activity = (email: string) => ({
      contact: { identifiers: { email } },
      contactactivities: [{ name: "early", time: "2026-01-09T22:47:12Z" }],
    });
    const early = await caller.send("createContactactivities", activity("late@x.org"));
    const never = await caller.send("createContactactivities", activity("never@x.org"));
    const parked = { state: "pending", records: { parked: 1 } };
    await expect.poll(() => caller.settled(early, 0)).toMatchObject(parked);
    await caller.send("upsertContact", { identifiers: { email: "late@x.org" }, attributes: { a: 1 }, ...create });
    expect(await caller.settled(early)).toMatchObject({ state: "applied", records: { applied: 1, parked: 0 } });
    const refused = await caller.settled(never, 60);
    expect(refused).toMatchObject({ state: "rejected", rejections: [{ code: "CONTACTS_CONTACT_NOT_FOUND" }] });
    // A receipt's `after` knows where its record stood first, not where it was written when it was tried again.
    await expect.poll(() => caller.count({ event: "early" }, never)).toBe(1);
  });
});
