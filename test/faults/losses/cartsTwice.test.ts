import { findAccount } from "@headwater/accounts/accounts/accounts";
import { createSupplement } from "@headwater/records/supplements/supplements";
import { afterEach, beforeEach, expect, test } from "vitest";
import { at, batchOf, context, frameOf, freshHandlers, type Handlers } from "./handlerFixture.ts";

/*
 * What is added to a cart adds up: nothing but the fence, and the ids of keyed and parked records, keeps a record that comes
 * again from being added again.
 */

let handlers: Handlers;
beforeEach(async () => {
  handlers = await freshHandlers();
});
afterEach(() => handlers.drop());

const START = { ...at, low: 0, high: 10 };
const identifiers = { email: "ann@example.com" };
const known = { identifiers, attributes: { tier: "gold" }, canBeCreated: true };
const product = { productID: "p", sku: "1", category: "c", name: "n", qty: 2 };

const adding = (offset: number, record: object, contact: object = known) =>
  frameOf(handlers.accountId, offset, "addProductsToCart", [
    { id: `r${offset}:0:0`, receivedAt: 0, contact, products: [product], ...record },
  ]);

async function quantities(): Promise<number[]> {
  const rows = await handlers.postgres.query<{ doc: string }>({ text: "SELECT doc FROM carts ORDER BY contact" });
  return rows.flatMap(({ doc }) => JSON.parse(doc).lines.map(([, , qty]: [string, string, number]) => qty));
}

test("a frame that is delivered again adds nothing to a cart", async () => {
  const state = handlers.state();
  await state.start(START);
  const frames = [adding(0, {}), adding(1, {})];
  await state.batch(batchOf(frames), context);
  await state.batch(batchOf(frames), context);
  const another = handlers.state();
  await another.start(START);
  await another.batch(batchOf(frames), context);
  expect(await quantities()).toEqual([4]);
});

test("a keyed record that is in the log twice is added once, in one batch and in two", async () => {
  const state = handlers.state();
  await state.start(START);
  const keyed = { id: "request:0:0", keyed: true };
  await state.batch(batchOf([adding(0, keyed), adding(1, keyed)]), context);
  await state.batch(batchOf([adding(2, keyed)]), context);
  expect(await quantities()).toEqual([2]);
});

test("a parked record is added when its contact is there, and once however often it is tried", async () => {
  const state = handlers.state();
  await state.start(START);
  await state.batch(batchOf([adding(0, {}, { identifiers })]), context);
  expect(await quantities()).toEqual([]);
  const contact = { id: "r1:0:0", receivedAt: 0, contact: known };
  const again = { id: "r0:0:0", redriveOf: "r0:0:0" };
  const frames = [
    frameOf(handlers.accountId, 1, "upsertContact", [contact]),
    adding(2, again, { identifiers }),
    adding(3, again, { identifiers }),
  ];
  await state.batch(batchOf(frames), context);
  expect(await quantities()).toEqual([2]);
});

test("a supplement record whose table makes the ids has one id however often it is in the log", async () => {
  const account = await findAccount(handlers.postgres, handlers.accountId);
  const flags = { contactObject: false, autogenerateIDs: true };
  await createSupplement(handlers.postgres, {
    account: account?.number ?? 0,
    key: "visits",
    indexes: [],
    createdAt: 0,
    ...flags,
  });
  const state = handlers.state();
  await state.start(START);
  const keyed = { id: "request:0:0", receivedAt: 0, keyed: true, supplement: "visits", record: { page: "/" } };
  const frame = (offset: number) => frameOf(handlers.accountId, offset, "upsertSupplementsRecords", [keyed]);
  await state.batch(batchOf([frame(0), frame(1)]), context);
  await state.batch(batchOf([frame(2)]), context);
  const rows = await handlers.postgres.query<{ id: string }>({ text: "SELECT id FROM supplement_records" });
  expect(rows).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{24}$/) }]);
});
