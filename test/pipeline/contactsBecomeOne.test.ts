import { expect } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

let stack: Stack;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
});

const known = { email: "bo@example.com" };
const unnamed = { customer_id: "c-7", anonymousId: "a-7" };
const event = (UID: string) => ({ name: "visit", time: "2026-01-09T22:47:12Z", UID });
const items = [{ productID: "1", sku: "1", name: "A thing", itemPrice: "2", qty: 1 }];

/** A contact with two activities, a list and an order. @returns the receipt of the last. */
async function live(caller: Caller, identifiers: object, name: string): Promise<string> {
  const create = { attributes: { tier: name }, canBeCreated: true };
  const contactactivities = [event(`${name}-1`), event(`${name}-2`)];
  const order = { orderID: `o-${name}`, purchaseDate: "2026-01-01", items };
  const receipts = [
    await caller.send("upsertContact", { identifiers, ...create }),
    await caller.send("createContactactivities", { contact: { identifiers }, contactactivities }),
    await caller.send("addContactsToList", { identifiers: [identifiers], listName: `list-${name}` }),
    await caller.send("upsertOrder", { contact: { identifiers }, order }),
  ];
  for (const receipt of receipts) expect(await caller.settled(receipt)).toMatchObject({ state: "applied" });
  return receipts[receipts.length - 1] ?? "";
}

test("two contacts become one: what the merge did not name finds it too, and nothing of it is counted twice", async () => {
  const caller = await stack.caller("two lives");
  await live(caller, known, "email");
  const before = await live(caller, unnamed, "customer");
  const twoVisits = { event: "visit", count: { op: "gte", value: 2 } };
  expect(await caller.count(twoVisits, before)).toBe(2);
  const merge = {
    identifiers: { ...known, customer_id: unnamed.customer_id },
    attributes: { tier: "one" },
    canBeUpdated: true,
    mergeOptions: { mergeAllowed: true },
  };
  const after = await caller.send("upsertContact", merge);
  const { body } = await caller.read("/v2/contacts/email:bo@example.com", after);
  expect(body).toMatchObject({ identifiers: { ...known, ...unnamed }, attributes: { tier: "one" } });
  expect([...body.lists].sort()).toEqual(["list-customer", "list-email"]);
  for (const path of ["/v2/contacts/customer_id:c-7", "/v2/contacts/anonymousId:a-7", "/v2/orders/o-customer"]) {
    expect((await caller.read(path, after)).body.cID).toBe(body.cID);
  }
  const activities = await caller.read(`/v2/contactactivities?cID=${body.cID}`, after);
  expect(activities.body.data).toHaveLength(4);
  const lists = [
    { list: "list-email", op: "in" },
    { list: "list-customer", op: "in" },
  ];
  const criteria = [
    { event: "visit", count: { op: "eq", value: 4 } },
    { order: true, count: { op: "eq", value: 2 } },
    { and: lists },
    { or: lists },
    { field: "attributes.tier", op: "eq", value: "customer" },
  ];
  expect(await Promise.all(criteria.map((one) => caller.count(one, after)))).toEqual([1, 1, 1, 1, 0]);
});

test("an activity that is sent again is counted once, and the receipts say which was which", async () => {
  const caller = await stack.caller("repeats");
  const contact = { identifiers: known, attributes: { tier: "one" }, canBeCreated: true };
  const body = { contact, contactactivities: [event("again-1"), event("again-2")] };
  const first = await caller.send("createContactactivities", body);
  const again = await caller.send("createContactactivities", body);
  expect(await caller.settled(first)).toMatchObject({ records: { applied: 2, skipped: 0 } });
  expect(await caller.settled(again)).toMatchObject({ records: { applied: 0, skipped: 2 }, skips: { DUPLICATE: 2 } });
  expect(await caller.count({ event: "visit", count: { op: "eq", value: 2 } }, again)).toBe(1);
});

test("who is removed from a list is off it in both stores", async () => {
  const caller = await stack.caller("leaving");
  const identifiers = [known];
  const added = await caller.send("addContactsToList", { identifiers, listName: "vip", canBeCreated: true });
  expect(await caller.count({ list: "vip", op: "in" }, added)).toBe(1);
  const removed = await caller.send("removeContactsFromList", { identifiers, listName: "vip" });
  expect(await caller.count({ list: "vip", op: "in" }, removed)).toBe(0);
  expect((await caller.read("/v2/contacts/email:bo@example.com", removed)).body.lists).toEqual([]);
});
