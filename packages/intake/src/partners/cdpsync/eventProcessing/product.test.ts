import { defaultSettings } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { withoutAbsent } from "../../reading.ts";
import { eventProcessing } from "./eventProcessing.ts";

const context = { settings: defaultSettings, accountId: "a".repeat(24), nowMs: Date.UTC(2026, 0, 10), bodyHash: "" };
const AT = "2026-01-09T22:47:10.000Z";
const contact = { identifiers: { email: "ann@x.org" }, canBeCreated: true };

const event = (over: object) => ({ id: "e1", timestamp_ms: Date.parse(AT), ...over });
const partsOf = (...events: unknown[]) => {
  const user_identities = [{ type: "email", encoding: "raw", value: "ann@x.org" }];
  const account = { account_settings: { apiKey: "hw_key" } };
  const message = { type: "event_processing_request", id: "m1", timestamp_ms: 1, account, user_identities, events };
  return eventProcessing.map(eventProcessing.body.parse(withoutAbsent(message)), context).parts;
};

const product = {
  id: 85_123,
  name: "Heart",
  brand: "Hearth",
  category: "Decoration",
  variant: "W",
  price: "2.55",
  quantity: 6.0,
  total_amount: 15.3,
  attributes: { colour: "white" },
};
const line = {
  productID: "85123",
  sku: "W",
  name: "Heart",
  manufacturerName: "Hearth",
  category: "Decoration",
  itemPrice: "2.55",
  qty: 6,
  properties: { colour: "white" },
};

describe("a product action", () => {
  test("purchase becomes an order with its total, tax, shipping, currency and lines", () => {
    const money = {
      total_amount: "16.50",
      tax_amount: 1.2,
      shipping_amount: 0,
      currency_code: "gbp",
      coupon_code: "W",
    };
    const { variant: _, ...plain } = product;
    const bought = { type: "product_action", action: "PURCHASE", transaction_id: 3001, ...money };
    expect(partsOf(event({ ...bought, products: [product, plain, { id: "x" }] }))).toMatchObject([
      {
        operation: "upsertOrder",
        body: {
          contact,
          order: {
            orderID: "3001",
            purchaseDate: AT,
            totalAmount: "16.50",
            tax: 1.2,
            shippingAndHandling: 0,
            currency: "GBP",
            properties: { currency_code: "gbp", coupon_code: "W" },
            items: [line, { ...line, sku: "85123" }],
          },
        },
        once: "event/e1",
      },
      { kind: "refused", verdict: "rejected", path: "/events/0/products/2", part: { id: "x" } },
    ]);
  });

  test("with a line whose names may not be so keeps its other lines", () => {
    const bought = { type: "product_action", action: "purchase", transaction_id: 1 };
    const wrong = { ...product, attributes: { [`a${".b".repeat(5_000)}`]: 1 } };
    expect(partsOf(event({ ...bought, products: [product, wrong] }))).toMatchObject([
      { operation: "upsertOrder", body: { order: { items: [line] } } },
      { kind: "refused", verdict: "rejected", path: "/events/0/products/1", part: wrong },
    ]);
  });

  test("with products that are wrong says what is wrong in the sender's names", () => {
    const products = [{ name: "n" }, { id: 1, name: "n", quantity: 1.5 }, { ...product, price: true }, "x"];
    const names = { ...product, attributes: { [`a${".b".repeat(50)}`]: 1 } };
    const messagesOf = (action: string, input: unknown[]) =>
      partsOf(event({ type: "product_action", action, transaction_id: 1, products: input })).map((part) =>
        part.kind === "item" ? part.operation : part.message,
      );
    expect(messagesOf("purchase", [product, ...products])).toEqual([
      "upsertOrder",
      "`id` is required.",
      "`quantity` must be an integer.",
      expect.stringMatching(/^`price` /),
      "The line must be an object.",
    ]);
    expect(messagesOf("remove_from_cart", [{ quantity: 1 }])).toEqual([
      "`id` is required.",
      "None of the event's products is valid.",
    ]);
    expect(messagesOf("purchase", [names])[0]).toMatch(/^attributes\//);
    expect(messagesOf("purchase", [])).toEqual(["The event has no products."]);
  });

  test("refund sets the status of its order and nothing else", () => {
    const refund = {
      type: "product_action",
      action: "refund",
      transaction_id: "A-1",
      total_amount: 5,
      products: [product],
    };
    expect(partsOf(event(refund))).toMatchObject([
      { operation: "setOrderStatus", body: { contact, order: { orderID: "A-1", status: "refunded" } } },
    ]);
  });

  test("of the cart adds lines and takes them out, each event once", () => {
    const action = (name: string) => event({ type: "product_action", action: name, products: [product] });
    const { manufacturerName: _, ...cartLine } = line;
    expect(partsOf(action("add_to_cart"), action("remove_from_cart"))).toMatchObject([
      { operation: "addProductsToCart", body: { contact, products: [cartLine] }, once: "event/e1" },
      { operation: "removeProductsFromCart", body: { products: [{ productID: "85123", sku: "W", qty: 6 }] } },
    ]);
  });
});
