import { type Account, defaultSettings, type Version, versionOf } from "@headwater/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Order } from "../fold/foldState.ts";
import { fromOrderRow, toOrderDocument, versionOfOrder } from "./orderDocument.ts";
import { isDeletedOrder, markOrderDeleted, writeOrderMembers } from "./orderWrite.ts";

const versionAt = (at: number): Version => versionOf(at, { lane: 1, partition: 0, offset: at, place: 0 });
const account: Account = {
  ...{ number: 1, id: "a".repeat(24), name: "orders" },
  settings: { ...defaultSettings, timezone: "Europe/Berlin" },
};
const origin = (at: number) => ({ version: versionAt(at), account });
const emptyOrder = (): Order => ({ orderId: "o", contact: 1, members: new Map() });

const write = fc.oneof(
  fc.constant("delete" as const),
  fc.dictionary(fc.constantFrom("purchaseDate", "status", "tax"), fc.constantFrom("a", "b", null), { minKeys: 1 }),
);
type Write = typeof write extends fc.Arbitrary<infer One> ? { readonly one: One; readonly at: number } : never;

/** Writes and deletes, each with a version of its own, and an order to make them in. */
const writes = fc
  .array(write, { minLength: 1, maxLength: 8 })
  .map((input) => input.map((one, at): Write => ({ one, at: at + 1 })))
  .chain((provided) => fc.tuple(fc.constant(provided), fc.shuffledSubarray(provided, { minLength: provided.length })));

function created(received: readonly Write[]) {
  const order = emptyOrder();
  for (const { one, at } of received) {
    if (one === "delete") markOrderDeleted(order, versionAt(at));
    else writeOrderMembers(order, one, origin(at));
  }
  return { deleted: order.deleted, members: [...order.members].sort() };
}

test("writes and deletes of an order end the same in whatever order they come", () => {
  fc.assert(
    fc.property(writes, ([given, shuffled]) => {
      expect(created(shuffled)).toEqual(created(given));
    }),
  );
});

test("a deleted order is there again by a later purchase alone", () => {
  const order = emptyOrder();
  writeOrderMembers(order, { purchaseDate: "2026-01-01", status: "paid" }, origin(1));
  markOrderDeleted(order, versionAt(5));
  expect([isDeletedOrder(order), versionOfOrder(order)]).toEqual([true, versionAt(5)]);
  expect(writeOrderMembers(order, { purchaseDate: "2026-01-02" }, origin(4))).toMatchObject({ superseded: 1 });
  writeOrderMembers(order, { status: "refunded" }, origin(6));
  expect(isDeletedOrder(order)).toBe(true);
  writeOrderMembers(order, { purchaseDate: "2026-01-03" }, origin(7));
  expect(isDeletedOrder(order)).toBe(false);
  expect([...order.members.keys()].sort()).toEqual(["purchaseDate", "status"]);
});

test("an order's document remembers its delete, and other documents hold nothing of it", () => {
  const order = emptyOrder();
  writeOrderMembers(order, { purchaseDate: "2026-01-01" }, origin(1));
  expect(fromOrderRow("o", { contact: 1, doc: toOrderDocument(order) })).toEqual(order);
  markOrderDeleted(order, versionAt(2));
  writeOrderMembers(order, { status: 'x,"deleted":"1"}' }, origin(3));
  expect(fromOrderRow("o", { contact: 1, doc: toOrderDocument(order) })).toEqual(order);
});

test("values in another spelling change nothing, and the last spelling stays", () => {
  const order = emptyOrder();
  const line = { productID: "p", sku: "s", name: "n" };
  const discount = (amount: string | number) => ({ type: "fixed", amount });
  const first = { purchaseDate: "2026-01-01", tax: "1.50", items: [{ ...line, itemPrice: "2.0" }] };
  const again = { purchaseDate: "2025-12-31T23:00:00Z", tax: 1.5, items: [{ ...line, itemPrice: 2, qty: 1 }] };
  writeOrderMembers(order, { ...first, discountApplication: discount("3.00") }, origin(1));
  const tally = writeOrderMembers(order, { ...again, discountApplication: discount(3) }, origin(2));
  expect(tally).toEqual({ changed: 0, unchanged: 4, superseded: 0 });
  expect(order.members.get("tax")).toEqual({ value: 1.5, version: versionAt(2) });
  const other = { purchaseDate: "2026-01-01T00:00:00Z", tax: "1.51", items: [{ ...line, itemPrice: 2, qty: 2 }] };
  expect(writeOrderMembers(order, { ...other, status: "1.0" }, origin(3))).toMatchObject({ changed: 4 });
  expect(writeOrderMembers(order, { status: "1" }, origin(4))).toMatchObject({ changed: 1 });
});
