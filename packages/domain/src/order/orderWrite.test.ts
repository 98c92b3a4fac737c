import { type Version, versionOf } from "@headwater/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Order } from "../foldState.ts";
import { fromOrderRow, toOrderDocument, versionOfOrder } from "./orderDocument.ts";
import { deleteOrder, isDeletedOrder, writeOrderMembers } from "./orderWrite.ts";

const versionAt = (at: number): Version => versionOf(at, { lane: 1, partition: 0, offset: at, place: 0 });
const emptyOrder = (): Order => ({ orderId: "o", contact: 1, members: new Map() });

const write = fc.oneof(
  fc.constant("delete" as const),
  fc.dictionary(fc.constantFrom("purchaseDate", "status", "tax"), fc.constantFrom("a", "b", null), { minKeys: 1 }),
);
type Write = typeof write extends fc.Arbitrary<infer One> ? { readonly one: One; readonly at: number } : never;

/** Writes and deletes, each with a version of its own, and an order to make them in. */
const writes = fc
  .array(write, { minLength: 1, maxLength: 8 })
  .map((given) => given.map((one, at): Write => ({ one, at: at + 1 })))
  .chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })));

function made(given: readonly Write[]) {
  const order = emptyOrder();
  for (const { one, at } of given) {
    if (one === "delete") deleteOrder(order, versionAt(at));
    else writeOrderMembers(order, one, versionAt(at));
  }
  return { deleted: order.deleted, members: [...order.members].sort() };
}

test("writes and deletes of an order end the same in whatever order they come", () => {
  fc.assert(
    fc.property(writes, ([given, shuffled]) => {
      expect(made(shuffled)).toEqual(made(given));
    }),
  );
});

test("a deleted order is there again by a later purchase alone", () => {
  const order = emptyOrder();
  writeOrderMembers(order, { purchaseDate: "2026-01-01", status: "paid" }, versionAt(1));
  deleteOrder(order, versionAt(5));
  expect([isDeletedOrder(order), versionOfOrder(order)]).toEqual([true, versionAt(5)]);
  expect(writeOrderMembers(order, { purchaseDate: "2026-01-02" }, versionAt(4))).toMatchObject({ superseded: 1 });
  writeOrderMembers(order, { status: "refunded" }, versionAt(6));
  expect(isDeletedOrder(order)).toBe(true);
  writeOrderMembers(order, { purchaseDate: "2026-01-03" }, versionAt(7));
  expect(isDeletedOrder(order)).toBe(false);
  expect([...order.members.keys()].sort()).toEqual(["purchaseDate", "status"]);
});

test("an order's document remembers its delete, and other documents hold nothing of it", () => {
  const order = emptyOrder();
  writeOrderMembers(order, { purchaseDate: "2026-01-01" }, versionAt(1));
  expect(fromOrderRow("o", { contact: 1, doc: toOrderDocument(order) })).toEqual(order);
  deleteOrder(order, versionAt(2));
  writeOrderMembers(order, { status: 'x,"deleted":"1"}' }, versionAt(3));
  expect(fromOrderRow("o", { contact: 1, doc: toOrderDocument(order) })).toEqual(order);
});
