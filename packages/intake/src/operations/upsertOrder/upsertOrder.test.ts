import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { fromOrderRow } from "@headwater/records/orders/orderDocument";
import { viewOrder } from "@headwater/records/orders/orderView";
import { MemoryState } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import type { Body } from "./schema.ts";
import { upsertOrder } from "./upsertOrder.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "orders", settings: defaultSettings };
const items = [{ productID: "p", sku: "s", name: "n", itemPrice: 2, qty: 3 }];
const contact = { identifiers: { email: "a@x.org" }, attributes: { plan: "x" }, canBeCreated: true };

/** Sends order bodies one after the other. @returns the order as answers show it. */
function after(...orders: readonly Partial<Body["order"]>[]) {
  const state = new MemoryState();
  for (const [offset, members] of orders.entries()) {
    const order = { orderID: "o", purchaseDate: "2026-01-01", items, ...members };
    const [part] = upsertOrder.split({ contact, order });
    const record = upsertOrder.record.parse({ id: `r${offset}:0:0`, receivedAt: 0, ...part?.members });
    expect(upsertOrder.itemOf?.(record)).toEqual({ contact, order });
    const version = versionOf(1_000 + offset, { lane: 1, partition: 0, offset, place: 0 });
    state.apply(account, [{ operation: upsertOrder, version, record }]);
  }
  const [row] = [...state.orders.values()];
  if (row === undefined) throw new Error("no order");
  return viewOrder(fromOrderRow("o", row), { currency: "USD", timezone: "UTC" }).document;
}

describe("an order that a record gives to another contact", () => {
  const of = (email: string, rights: object = {}) => ({ identifiers: { email }, canBeCreated: true, ...rights });
  const send = (...contacts: readonly object[]) => {
    const state = new MemoryState();
    const outcomes = contacts.flatMap((input, offset) => {
      const version = versionOf(1_000 + offset, { lane: 1, partition: 0, offset, place: 0 });
      const order = { orderID: "o", purchaseDate: "2026-01-01", items };
      const record = { id: `r${offset}:0:0`, receivedAt: 0, contact: input, order };
      return state.apply(account, [{ operation: upsertOrder, version, record }]);
    });
    return { outcomes, owner: state.orders.values().next().value?.contact };
  };

  test("stays, and a warning says so, whether or not the record changes something else", () => {
    const { outcomes, owner } = send(of("a@x.org"), of("b@x.org"), of("b@x.org"));
    const warnings = new Set(["UPDATE_NOT_ALLOWED"]);
    expect(outcomes).toMatchObject([
      { kind: "applied", warnings: new Set(), contact: owner },
      { kind: "applied", warnings },
      { kind: "skipped", code: "UNCHANGED", warnings },
    ]);
  });

  test("moves with `canBeUpdated`, without a warning", () => {
    const { outcomes, owner } = send(of("a@x.org"), of("b@x.org", { canBeUpdated: true, attributes: { plan: "x" } }));
    expect(outcomes[1]).toMatchObject({ kind: "applied", warnings: new Set(), contact: owner });
  });
});

test("null removes a member, and an absent one stays as it is", () => {
  const full = { status: "paid", tax: 1, totalAmount: 9, properties: { a: 1 } };
  const view = after(full, { status: null, totalAmount: null, properties: null });
  expect(view).toMatchObject({ tax: "1", totalAmount: "7", totalComputed: true });
  expect(Object.keys(view)).not.toContain("status");
  expect(Object.keys(view)).not.toContain("properties");
});

test("amounts that are computed are left out where they pass the bound of decimals, as criteria leave them out", () => {
  const most = 99_999_999_999_999;
  const line = { productID: "p", sku: "s", name: "n" };
  const displayed = after({ items: [{ ...line, itemPrice: most, qty: 2 }] });
  expect(displayed.items).toEqual([{ ...line, itemPrice: String(most), qty: 2 }]);
  expect(Object.keys(displayed)).not.toContain("totalAmount");
  expect(Object.keys(displayed)).not.toContain("totalComputed");
  const returned = [
    { ...line, itemPrice: most, qty: 2 },
    { ...line, itemPrice: most, qty: -1 },
  ];
  expect(after({ items: returned })).toMatchObject({ totalAmount: String(most), totalComputed: true });
  expect(after({ items: [{ ...line, itemPrice: most, qty: -2 }], totalAmount: 1 })).toMatchObject({ totalAmount: "1" });
});
