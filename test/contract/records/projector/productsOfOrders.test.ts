import { type Account, versionOf } from "@headwater/contracts";
import { createStoredProducts } from "@headwater/intake/products/productStore";
import { createProductsHandler } from "@headwater/intake/products/productsHandler";
import { systemClock } from "@headwater/kernel";
import type { LogFrame } from "@headwater/topics";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codec, context } from "../../intake/projector/memoryStream.ts";
import { type Running, startService } from "../../service/running.ts";
import { logger } from "../../stores/fresh.ts";

const NOW = systemClock.nowMs();
const HOUR = 3_600_000;
const SECOND = 1_000;

let service: Running;
let account: Account;
let key: string;
/** Frames of each partition so far. */
const log = new Map<string, LogFrame[]>();

beforeAll(async () => {
  service = await startService();
  const mine = await service.account();
  account = mine.account;
  key = await service.key(account, { scopes: ["read", "write", "admin"] });
});
afterAll(() => service.stop());

const versionAt = (at: number) => versionOf(at, { lane: 1, partition: 0, offset: 1, place: 0 });
const item = (productID: string, more: object = {}) => ({ productID, sku: "s", name: productID, qty: 2, ...more });
const orderOf = (items: object[], at = NOW, more: object = {}) => ({
  account: account.number,
  contact: 1,
  orderId: "o",
  version: versionAt(at),
  purchasedAt: at,
  order: { items },
  ...more,
});
const cartOf = (items: object[], at = NOW) => ({
  account: account.number,
  contact: 1,
  version: versionAt(at),
  cart: { items },
});
const get = async (id: string) => service.call(key, `/v2/products/${id}`);

/** Puts a frame on a partition of a change topic; a new process takes the partition over and works it off. */
async function feed(topic: "changes.orders" | "changes.carts", changes: object[], partition = 0) {
  const frames = log.get(`${topic} ${partition}`) ?? [];
  log.set(`${topic} ${partition}`, frames);
  const value = Buffer.from(JSON.stringify({ subject: topic, value: { position: 1, changes } }));
  frames.push({ offset: frames.length, timeMs: NOW, key: undefined, value, headers: {} });
  const handler = createProductsHandler({
    products: createStoredProducts(service.postgres),
    codec,
    clock: systemClock,
    logger,
  });
  const { fromOffset } = await handler.start({ topic, partition, low: 0, high: frames.length });
  const batch = { topic, partition, frames: frames.slice(fromOffset), highWatermark: frames.length };
  return handler.batch(batch, context);
}

test("items of orders and carts make and change products", async () => {
  await feed("changes.carts", [cartOf([item("p", { category: "home", itemPrice: "3" })])]);
  await feed("changes.orders", [orderOf([item("p", { itemPrice: "2.55", tags: ["a"], attr: { colour: "red" } })])]);
  expect((await get("p")).body).toMatchObject({
    productName: "p",
    price: 2.55,
    category: "home",
    tags: ["a"],
    variants: [{ sku: "s", attr: { colour: "red" } }],
    enabled: false,
    totalQty: 0,
  });
  await feed("changes.orders", [orderOf([item("p", { itemPrice: "1" })], NOW - HOUR)]);
  expect((await get("p")).body.price).toBe(2.55);
  await feed("changes.orders", [orderOf([item("p", { itemPrice: "5" })], NOW + HOUR)]);
  expect((await get("p")).body).toMatchObject({ price: 5, tags: ["a"] });
});

test("what is declared stands, before and after", async () => {
  const declared = { productID: "d", productName: "Declared", price: 7 };
  expect((await service.call(key, "/v2/products", { method: "POST", body: declared })).status).toBe(201);
  await feed("changes.orders", [
    orderOf([item("d", { itemPrice: "1", category: "c" }), item("late", { itemPrice: "1" })]),
  ]);
  expect((await get("d")).body).toMatchObject({ productName: "Declared", price: 7, category: "c" });
  await service.call(key, "/v2/products/late", { method: "PUT", body: { price: null } });
  await feed("changes.orders", [orderOf([item("late", { itemPrice: "4" })], NOW + HOUR)]);
  expect((await get("late")).body.price).toBeUndefined();
});

test("what was seen before is not written again, and a frame that comes twice changes nothing", async () => {
  await feed("changes.orders", [orderOf([item("same", { itemPrice: "1" })])]);
  const before = (await get("same")).body;
  await feed("changes.orders", [orderOf([item("same", { itemPrice: "1" })], NOW + HOUR)]);
  expect((await get("same")).body).toEqual(before);
  const handler = createProductsHandler({
    products: createStoredProducts(service.postgres),
    codec,
    clock: systemClock,
    logger,
  });
  const frames = log.get("changes.orders 0") ?? [];
  const again = { topic: "changes.orders", partition: 0, frames: frames.slice(0, 1), highWatermark: frames.length };
  expect(await handler.batch(again, context)).toEqual({ kind: "seek", offset: frames.length });
});

test("a deleted product comes back by an order that is written later, and by no earlier one", async () => {
  await feed("changes.orders", [orderOf([item("gone", { itemPrice: "1", category: "old" })], NOW - HOUR)]);
  expect((await service.call(key, "/v2/products/gone", { method: "DELETE" })).status).toBe(200);
  await feed("changes.orders", [orderOf([item("gone", { itemPrice: "2" })], NOW - SECOND)]);
  expect((await get("gone")).status).toBe(404);
  await feed("changes.orders", [orderOf([item("gone", { itemPrice: "3" })], NOW + HOUR, { deleted: true })]);
  expect((await get("gone")).status).toBe(404);
  await feed("changes.orders", [orderOf([item("gone", { itemPrice: "4" })], NOW + HOUR)]);
  const { price, category } = (await get("gone")).body;
  expect([price, category]).toEqual([4, undefined]);
});

test("partitions that see the same products at once, and people who declare them, all come through", async () => {
  const ids = Array.from({ length: 30 }, (_, at) => `hot ${at}`);
  const turn = (at: number) => (at % 2 === 0 ? ids : ids.toReversed());
  await Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      const items = turn(at).map((id) => item(id, { itemPrice: String(at + 1) }));
      await feed("changes.orders", [orderOf(items, NOW + at * HOUR)], at + 1);
      const body = turn(at + 1).map((productID) => ({ productID, productName: `declared ${at}` }));
      expect((await service.call(key, "/v2/products", { method: "POST", body })).status).toBeLessThan(300);
    }),
  );
  const { body } = await service.call(key, "/v2/products?per_page=500&sort_by=productID");
  const hot = body.data.filter(({ productID }: { productID: string }) => productID.startsWith("hot"));
  expect(hot).toHaveLength(30);
  for (const { price, productName } of hot) expect([price, productName.startsWith("declared")]).toEqual([8, true]);
});
