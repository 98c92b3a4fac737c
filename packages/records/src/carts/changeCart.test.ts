import { versionOf } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import type { Cart } from "./cart.ts";
import { viewCart } from "./cartView.ts";
import { addProducts, removeProducts, writeCart } from "./changeCart.ts";

const at = (timeMs: number) => ({ version: versionOf(timeMs, { lane: 1, partition: 0, offset: timeMs, place: 0 }) });
const empty: Cart = { contact: 1, ...at(1), members: {}, expiresAt: undefined, lines: [] };
const product = (productID: string, sku: string, qty: number, more: object = {}) => {
  return { productID, sku, qty, category: "c", name: "n", ...more };
};
const quantities = ({ lines }: Cart) =>
  Object.fromEntries(lines.map(({ productID, sku, qty }) => [productID + sku, qty]));
const cartOf = (...products: ReturnType<typeof product>[]) => addProducts(empty, products, at(2)).cart;

describe("adding to a cart", () => {
  test("sums the quantities of a line, which is product and sku together", () => {
    const cart = cartOf(product("p", "1", 2), product("p", "2", 1), product("p", "1", 3));
    expect(quantities(cart)).toEqual({ p1: 5, p2: 1 });
  });

  test("takes every other member of a line from the newest", () => {
    const cart = cartOf(product("p", "1", 1, { url: "u", itemPrice: "1.10" }), product("p", "1", 1, { itemPrice: 2 }));
    expect(cart.lines[0]?.members).toEqual({ category: "c", name: "n", itemPrice: 2 });
  });

  test("does not take one line for another whose ids are cut at another place", () => {
    expect(cartOf(product("ab", "c", 1), product("a", "bc", 1)).lines).toHaveLength(2);
  });

  test("leaves what a cart of 1,000 lines or half a million characters has no room for, and says how much", () => {
    const many = Array.from({ length: 1_001 }, (_, index) => product("p", String(index), 1));
    expect(addProducts(empty, many, at(2))).toMatchObject({ left: 1 });
    const wide = Array.from({ length: 6 }, (_, index) => product("p", String(index), 1, { url: "x".repeat(100_000) }));
    const { cart, left } = addProducts(empty, wide, at(2));
    expect([cart.lines.length, left]).toEqual([5, 1]);
    expect(addProducts(cart, [product("p", "0", 1)], at(3)).left).toBe(0);
  });

  test("writes what the cart has beside its lines, leaves what is absent and removes what is null", () => {
    const cart = writeCart(empty, { cartID: "c1", tax: "0.10", expiration: "2026-01-10" }, "Europe/Berlin");
    const later = writeCart(cart, { url: "u" }, "Europe/Berlin");
    expect(later).toMatchObject({ members: { cartID: "c1", tax: "0.10", url: "u" } });
    expect(later.expiresAt).toBe(Date.parse("2026-01-09T23:00:00Z"));
    const removed = writeCart(later, { cartID: null, tax: null, expiration: null, linkID: null }, "Europe/Berlin");
    expect([removed.members, removed.expiresAt]).toEqual([{ url: "u" }, undefined]);
  });
});

describe("removing from a cart", () => {
  const cart = cartOf(product("p", "b", 2), product("p", "a", 2), product("q", "a", 1));

  test("with a sku takes from that line alone, and more than there is is no error", () => {
    const left = removeProducts(cart, [{ productID: "p", sku: "b", qty: 9 }], at(3));
    expect(left === undefined ? undefined : quantities(left)).toEqual({ pa: 2, qa: 1 });
  });

  test("without one takes from the lines of the product in order of sku", () => {
    for (const sku of [undefined, null]) {
      const left = removeProducts(cart, [{ productID: "p", qty: 3, ...(sku === null && { sku }) }], at(3));
      expect(left === undefined ? undefined : quantities(left)).toEqual({ pb: 1, qa: 1 });
    }
  });

  test("answers nothing where the cart has none of the products", () => {
    expect(removeProducts(cart, [{ productID: "x", qty: 1 }], at(3))).toBeUndefined();
  });
});

describe("a cart as it reads", () => {
  test("has exact amounts and a total of its lines and its tax", () => {
    const cart = writeCart(
      cartOf(product("p", "1", 3, { itemPrice: "0.1" }), product("q", "1", 1, { itemPrice: 2.5 })),
      { cartID: "c1", tax: 0.2 },
      "UTC",
    );
    expect(viewCart(cart)).toMatchObject({
      cartId: "c1",
      lines: 2,
      total: "3",
      document: { tax: "0.2", totalAmount: "3", items: [{ itemPrice: "0.1", amount: "0.3" }, { amount: "2.5" }] },
    });
  });

  test("has no amount and no total past the bound of decimals", () => {
    const { total, document } = viewCart(cartOf(product("p", "1", 2, { itemPrice: 99_999_999_999_999 })));
    expect(total).toBeUndefined();
    expect(document).toMatchObject({ items: [{ itemPrice: "99999999999999", qty: 2 }] });
    expect(JSON.stringify(document)).not.toMatch(/amount/i);
  });

  test("has no total when a line has no price", () => {
    expect(viewCart(cartOf(product("p", "1", 3))).total).toBeUndefined();
  });
});
