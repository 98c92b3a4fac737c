import { versionOf } from "@headwater/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { observationsOfCart, observationsOfOrder } from "./observations.ts";
import {
  declareMembers,
  emptyProduct,
  membersView,
  observeProduct,
  type ProductObservation,
  parseProduct,
  toProductDocument,
} from "./product.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 10);
const versionAt = (at: number) => versionOf(at, { lane: 1, partition: 0, offset: 1, place: 0 });
const order = (price: string, at = NOW, more: object = {}): ProductObservation[] =>
  observationsOfOrder({
    version: versionAt(at),
    purchasedAt: at,
    order: {
      items: [{ productID: "p", sku: "s", name: "Heart", itemPrice: price, qty: 2, properties: { gift: 1 }, ...more }],
    },
  });
const cart = (price: string, at = NOW): ProductObservation[] =>
  observationsOfCart({
    version: versionAt(at),
    cart: { items: [{ productID: "p", sku: "s", name: "heart?", category: "home", itemPrice: price, qty: 1 }] },
  });

function seen(observations: readonly ProductObservation[], product = emptyProduct()) {
  for (const observation of observations) observeProduct(product, observation);
  return product;
}

describe("what orders and carts say of a product", () => {
  test("are the members that are the product's, and its variants by sku", () => {
    const more = { attr: { colour: "red" }, tags: ["a"], productType: "gadget" };
    expect(membersView(seen(order("2.55", NOW, more)))).toEqual({
      productName: "Heart",
      price: "2.55",
      tags: ["a"],
      variants: [{ sku: "s", attr: { colour: "red" } }],
    });
  });

  test("a later purchase stands above an earlier one, whichever is written first", () => {
    const [early, late] = [order("1", NOW - HOUR), order("2", NOW)];
    expect(membersView(seen([...early, ...late])).price).toBe("2");
    expect(membersView(seen([...late, ...early])).price).toBe("2");
  });

  test("an order stands above a cart, and what only the cart says stays", () => {
    const expected = { productName: "Heart", price: "1", category: "home", variants: [{ sku: "s" }] };
    expect(membersView(seen([...order("1", NOW - HOUR), ...cart("9")]))).toEqual(expected);
    expect(membersView(seen([...cart("9"), ...order("1", NOW - HOUR)]))).toEqual(expected);
  });

  test("is not written again while it is the same, but for once a day", () => {
    const product = seen(order("1"));
    const [again] = order("1", NOW + HOUR);
    const [nextDay] = order("1", NOW + 25 * HOUR);
    if (again === undefined || nextDay === undefined) throw new Error("an item is an observation");
    expect(observeProduct(product, again)).toBe(false);
    expect(observeProduct(product, nextDay)).toBe(true);
  });
});

describe("what is declared", () => {
  test("stands above all that is seen, also when it is declared absent", () => {
    const product = emptyProduct();
    expect(declareMembers(product, { productName: "White heart", price: null, tags: undefined }, NOW)).toBe(true);
    seen(order("5", NOW + HOUR), product);
    expect(membersView(product)).toEqual({ productName: "White heart", variants: [{ sku: "s" }] });
    expect(declareMembers(product, { price: "6", variants: null }, NOW)).toBe(true);
    expect(membersView(product)).toEqual({ productName: "White heart", price: "6" });
    expect(declareMembers(product, { price: "6", productName: "White heart" }, NOW + HOUR)).toBe(false);
  });
});

test("documents keep a product as it is", () => {
  const product = seen([...order("1"), ...cart("2")]);
  declareMembers(product, { enabled: true }, NOW);
  expect(parseProduct(toProductDocument(product))).toEqual(product);
});

const days = fc.uniqueArray(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 8 });

test("orders of different days end in one product, whatever order they come in", () => {
  fc.assert(
    fc.property(days, fc.infiniteStream(fc.nat()), (input, keys) => {
      const observations = input.flatMap((day) => order(String(day % 3), NOW + day * 24 * HOUR));
      const shuffled = observations
        .map((observation) => ({ observation, key: keys.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ observation }) => observation);
      expect(seen(shuffled)).toEqual(seen(observations));
    }),
  );
});
