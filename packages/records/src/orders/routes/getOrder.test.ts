import { defaultSettings, type Json } from "@headwater/contracts";
import { expect, test } from "vitest";
import { toOrderDocument } from "../orderDocument.ts";
import { orderRecord } from "../orderRecord.ts";

const VERSION = "0".repeat(32);

function recordOf(members: Readonly<Record<string, Json>>): string {
  const written = Object.entries(members).map(([name, value]) => [name, { value, version: VERSION }] as const);
  const doc = toOrderDocument({ orderId: "o1", contact: 1, members: new Map(written) });
  const row = { account: 1, orderId: "o1", contact: 1, purchasedAt: 0, version: VERSION, doc, cid: "c" };
  return JSON.stringify(orderRecord(row, defaultSettings));
}

test("decimals are written from their own digits, never as a binary float", () => {
  const text = recordOf({ totalAmount: "12345678901234.5678", tax: 0.1, items: [] });
  expect(text).toContain('"totalAmount":12345678901234.5678');
  expect(text).toContain('"tax":0.1');
});

test("decimals that a double would write otherwise keep their text beside those that it would not", () => {
  const item = { productID: "p", qty: 1, itemPrice: "12345678901234.5678" };
  const text = recordOf({ items: [item, { productID: "q", qty: 3, itemPrice: "0.0001" }] });
  expect(text).toContain(`"itemPrice":12345678901234.5678`);
  expect(text).toContain(`"amount":0.0003`);
  expect(text).toContain(`"totalAmount":12345678901234.5681`);
});

test("amounts of items and the discount are shown, and what was never given is not", () => {
  const item = { productID: "p", sku: "s", name: "n", qty: 2, itemPrice: "2.50" };
  const record = JSON.parse(recordOf({ items: [item], discountApplication: { type: "fixed", amount: "1" } }));
  expect(record).toMatchObject({ items: [{ amount: 5 }], totalAmount: 4, totalDiscountAmount: 1, totalComputed: true });
  expect(record).not.toHaveProperty("tax");
});
