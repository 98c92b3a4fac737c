import { createSupplement, type NewSupplement } from "@headwater/records/supplements/supplements";
import { describe, expect } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

let stack: Stack;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
});

const ann = { identifiers: { email: "ann@example.com" }, attributes: { first_name: "Ann" }, canBeCreated: true };
const product = (productID: string, sku: string, qty: number) => {
  return { productID, sku, qty, category: "Decoration", name: "Heart", itemPrice: "0.10" };
};

/** Waits until ClickHouse has what the receipt names. */
async function view(caller: Caller, receipt: string): Promise<void> {
  await caller.count({ and: [] }, receipt);
}

interface StoredCart {
  readonly cart_id: string;
  readonly lines: number;
  readonly total: string | null;
  readonly document: string;
}

async function cartOf({ account }: Caller) {
  const [row] = await stack.clickhouse.query<StoredCart>(
    "SELECT cart_id, lines, total, document FROM carts_current FINAL WHERE account = {account: UInt32} AND deleted = 0",
    { account },
  );
  const items: { productID: string; sku: string; qty: number }[] = JSON.parse(row?.document ?? '{"items":[]}').items;
  const quantities = Object.fromEntries(items.map(({ productID, sku, qty }) => [`${productID}/${sku}`, qty]));
  return { cartId: row?.cart_id, lines: row?.lines, total: row?.total, quantities };
}

async function storedLines({ account }: Caller): Promise<[string, string, number][]> {
  const text = "SELECT doc FROM carts WHERE account = $1";
  const rows = await stack.postgres.query<{ doc: string }>({ text }, [account]);
  return rows.flatMap(({ doc }) =>
    JSON.parse(doc).lines.map(([id, sku, qty]: [string, string, number]) => [id, sku, qty]),
  );
}

describe("a cart's way from HTTP to both stores", () => {
  test("products are added, added again, and taken out", async () => {
    const caller = await stack.caller("cart");
    const contact = ann;
    const cart = { cartID: "c-1", tax: 0.05 };
    await caller.send("addProductsToCart", { contact, products: [product("p", "2", 2), product("p", "1", 1)], cart });
    const items = [{ contact, products: [product("p", "1", 2)] }];
    const added = await caller.send("addProductsToCart/batch", { items });
    await view(caller, added);
    expect(await cartOf(caller)).toEqual({
      cartId: "c-1",
      lines: 2,
      total: "0.55",
      quantities: { "p/2": 2, "p/1": 3 },
    });
    const removed = await caller.send("removeProductsFromCart", { contact, products: [{ productID: "p", qty: 4 }] });
    await view(caller, removed);
    expect(await cartOf(caller)).toMatchObject({ lines: 1, total: "0.15", quantities: { "p/2": 1 } });
    expect(await storedLines(caller)).toEqual([["p", "2", 1]]);
    const nothing = await caller.send("removeProductsFromCart", { contact, products: [{ productID: "x", qty: 1 }] });
    expect(await caller.settled(nothing)).toMatchObject({ state: "applied", skips: { UNCHANGED: 1 } });
  });

  test("a call that is repeated with its Idempotency-Key adds once", async () => {
    const caller = await stack.caller("repeated cart");
    const body = { contact: ann, products: [product("p", "1", 2)] };
    const keyed = { "idempotency-key": "add-1" };
    const receipts = [
      await caller.send("addProductsToCart", body, keyed),
      await caller.send("addProductsToCart", body, keyed),
    ];
    expect(receipts[1]).toBe(receipts[0]);
    await view(caller, receipts[0] ?? "");
    expect(await storedLines(caller)).toEqual([["p", "1", 2]]);
  });

  test("the order made of a cart empties it; when contacts become one the later cart stays, and the past is kept", async () => {
    const caller = await stack.caller("joined carts");
    const bob = { identifiers: { customer_id: "b-1" }, attributes: { first_name: "Bob" }, canBeCreated: true };
    const first = { contact: ann, products: [product("a", "1", 1)], cart: { cartID: "c-a" } };
    await caller.settled(await caller.send("addProductsToCart", first));
    const second = await caller.send("addProductsToCart", { contact: bob, products: [product("b", "1", 1)] });
    await caller.settled(second);
    const identifiers = { ...ann.identifiers, ...bob.identifiers };
    const merged = await caller.send("upsertContact", { identifiers, mergeOptions: { mergeAllowed: true } });
    await view(caller, merged);
    expect(await cartOf(caller)).toMatchObject({ quantities: { "b/1": 1 } });
    const again = await caller.send("addProductsToCart", { ...first, contact: { identifiers } });
    expect(await caller.settled(again)).toMatchObject({ state: "applied" });
    const order = { orderID: "o-1", purchaseDate: "2026-01-01", cartID: "c-a" };
    const items = [{ productID: "a", sku: "1", name: "Heart" }];
    const ordered = await caller.send("upsertOrder", { contact: { identifiers }, order: { ...order, items } });
    await view(caller, ordered);
    expect(await cartOf(caller)).toMatchObject({ lines: 0, quantities: {} });
    expect(await storedLines(caller)).toEqual([]);
    const [past] = await stack.clickhouse.query<{ contacts: number; most: number }>(
      "SELECT uniqExact(contact) AS contacts, max(lines) AS most FROM carts_history WHERE account = {account: UInt32}",
      { account: caller.account },
    );
    expect(past).toEqual({ contacts: 2, most: 2 });
  });
});

describe("supplement records' way from HTTP to both stores", () => {
  const define = (caller: Caller, more: Partial<NewSupplement>) => {
    const plain = { key: "cars", indexes: [], contactObject: false, autogenerateIDs: false, createdAt: 0 };
    return createSupplement(stack.postgres, { account: caller.account, ...plain, ...more });
  };
  const send = (caller: Caller, records: readonly object[], supplement = "cars") =>
    caller.send("upsertSupplementsRecords", { supplement, records });
  const recordsOf = async ({ account }: Caller, table = "supplement_records_current FINAL") => {
    const sql = `SELECT id, contact, document FROM ${table} WHERE account = {account: UInt32} ORDER BY id, version`;
    const rows = await stack.clickhouse.query<{ id: string; contact: number; document: string }>(sql, { account });
    return rows.map(({ id, contact, document }) => ({ id, contact, ...JSON.parse(document) }));
  };

  test("fields are written one by one, and both states are kept", async () => {
    const caller = await stack.caller("records");
    await define(caller, { indexes: [{ field: "year", type: "number" }] });
    await caller.settled(
      await send(caller, [
        { id: "1", model: "A", year: 2019 },
        { id: "2", model: "B" },
      ]),
    );
    const last = await send(caller, [{ id: "1", model: null, colour: "red", suppressTriggers: true }]);
    await view(caller, last);
    expect(await recordsOf(caller)).toEqual([
      { id: "1", contact: 0, year: 2019, colour: "red" },
      { id: "2", contact: 0, model: "B" },
    ]);
    expect((await recordsOf(caller, "supplement_records_history")).map(({ model }) => model)).toEqual([
      "A",
      undefined,
      "B",
    ]);
    const same = await send(caller, [{ id: "2", model: "B" }]);
    expect(await caller.settled(same)).toMatchObject({ skips: { UNCHANGED: 1 } });
  });

  test("what their table cannot take is refused alone, with its reason", async () => {
    const caller = await stack.caller("bad records");
    await define(caller, { indexes: [{ field: "year", type: "number" }] });
    const bad = await send(caller, [{ id: "1", year: 2019 }, { id: "2", year: "old" }, {}, { id: "a".repeat(24) }]);
    expect(await caller.settled(bad)).toMatchObject({
      state: "partly_rejected",
      records: { applied: 1, rejected: 3 },
      rejections: [
        { code: "ATTRIBUTE_TYPE_MISMATCH", path: "/records/1/year" },
        { code: "VALIDATION_ERROR", path: "/records/2/id" },
        { code: "VALIDATION_ERROR", path: "/records/3/id" },
      ],
    });
    const nowhere = await send(caller, [{ id: "1" }], "nowhere");
    expect(await caller.settled(nowhere)).toMatchObject({
      state: "rejected",
      rejections: [{ code: "RECORD_NOT_FOUND", path: "/supplement" }],
    });
  });

  test("a contact object's belong to their contact, and wait a moment for one that comes late", async () => {
    const caller = await stack.caller("contact objects");
    await define(caller, { contactObject: true });
    const early = await send(caller, [{ id: "1", email: "Ann@example.com" }]);
    await expect.poll(() => caller.settled(early, 0)).toMatchObject({ records: { parked: 1 } });
    await caller.send("upsertContact", ann);
    expect(await caller.settled(early)).toMatchObject({ state: "applied", records: { applied: 1 } });
    const last = await send(caller, [{ id: "2", email: "ann@example.com" }, { id: "3" }]);
    expect(await caller.settled(last)).toMatchObject({ rejections: [{ path: "/records/1/email" }] });
    await expect.poll(() => recordsOf(caller)).toMatchObject([{ id: "1" }, { id: "2" }]);
    const [first, second] = await recordsOf(caller);
    expect(first?.contact).toBeGreaterThan(0);
    expect(second?.contact).toBe(first?.contact);
  });

  test("a table that makes the ids takes a record without one, once for one Idempotency-Key", async () => {
    const caller = await stack.caller("made ids");
    await define(caller, { autogenerateIDs: true });
    const body = { supplement: "cars", records: [{ model: "A" }, { model: "B" }] };
    const keyed = { "idempotency-key": "cars-1" };
    await caller.send("upsertSupplementsRecords", body, keyed);
    const receipt = await caller.send("upsertSupplementsRecords", body, keyed);
    await view(caller, receipt);
    const [one, two, ...others] = await recordsOf(caller);
    expect(others).toEqual([]);
    expect([one?.model, two?.model].sort()).toEqual(["A", "B"]);
    const changed = await send(caller, [{ id: one?.id, model: "C" }, { id: "mine" }]);
    expect(await caller.settled(changed)).toMatchObject({ records: { applied: 1, rejected: 1 } });
  });
});
