import type { Sliced } from "@headwater/kernel";
import { cartLines, orderLines, removedLines } from "../../lines.ts";
import { type Part, refusedPart } from "../../push.ts";
import { isMembers, type Members, present, textOf, timeOf } from "../../reading.ts";
import { contactOf, type LocatedEvent } from "./subject.ts";

/** Maps what was done with products: an order, its refund, or a change of the cart. */
export function* productParts(located: LocatedEvent): Sliced<readonly Part[]> {
  switch (actionOf(located.event)) {
    case "purchase":
      return yield* purchaseParts(located);
    case "refund":
      return [refundPart(located)];
    case "add_to_cart":
      return yield* cartParts(located, "addProductsToCart");
    case "remove_from_cart":
      return yield* cartParts(located, "removeProductsFromCart");
    case undefined:
      return [];
  }
}

const mappedActions = ["purchase", "refund", "add_to_cart", "remove_from_cart"] as const;

function actionOf({ action }: Members): (typeof mappedActions)[number] | undefined {
  return mappedActions.find((known) => known === textOf(action)?.toLowerCase());
}

/** Returns why nothing is made of what was done with products; undefined when something is. */
export function whyActionPassedOver(event: Members): string | undefined {
  return actionOf(event) === undefined ? `The action ${textOf(event.action) ?? "(none)"} is not supported.` : undefined;
}

function* purchaseParts({ event, path, timeMs, once, subject }: LocatedEvent): Sliced<readonly Part[]> {
  const orderID = textOf(event.transaction_id);
  const purchaseDate = timeOf(timeMs);
  if (orderID === undefined) return [refusedPart(path, event, "A purchase requires `transaction_id`.")];
  if (purchaseDate === undefined) return [refusedPart(path, event, "The event time is invalid.")];
  const input = { path: `${path}/products`, lines: productsOf(event), rename: toOrderLine, sentAs: lineSentAs };
  const { lines, refused } = yield* orderLines(input);
  if (lines.length === 0) return [...refused, withoutProducts(path, event)];
  const { currency_code, coupon_code } = event;
  const properties = present({ currency_code: textOf(currency_code), coupon_code: textOf(coupon_code) });
  const order = present({
    orderID,
    purchaseDate,
    items: lines,
    totalAmount: event.total_amount,
    tax: event.tax_amount,
    shippingAndHandling: event.shipping_amount,
    currency: currencyOf(currency_code),
    properties: Object.keys(properties).length === 0 ? undefined : properties,
  });
  const body = { contact: contactOf(subject), order };
  const sentAs = orderSentAs;
  return [{ kind: "item", path, inner: "/order", sentAs, operation: "upsertOrder", body, once }, ...refused];
}

/** Members of an order and of its lines as the event calls them. */
const orderSentAs: Readonly<Record<string, string>> = {
  "/orderID": "/transaction_id",
  "/purchaseDate": "/timestamp_ms",
  "/items": "/products",
  "/totalAmount": "/total_amount",
  "/tax": "/tax_amount",
  "/shippingAndHandling": "/shipping_amount",
  "/currency": "/currency_code",
  "/properties": "",
};
const lineSentAs: Readonly<Record<string, string>> = {
  productID: "id",
  sku: "variant",
  manufacturerName: "brand",
  itemPrice: "price",
  qty: "quantity",
  properties: "attributes",
};

function withoutProducts(path: string, event: Members): Part {
  const reason =
    productsOf(event).length === 0 ? "The event has no products." : "None of the event's products is valid.";
  return refusedPart(path, event, reason);
}

/** A refund sets the status and nothing else. */
function refundPart({ event, path, once, subject }: LocatedEvent): Part {
  const orderID = textOf(event.transaction_id);
  if (orderID === undefined) return refusedPart(path, event, "A refund requires `transaction_id`.");
  const body = { contact: contactOf(subject), order: { orderID, status: "refunded" } };
  return { kind: "item", path, inner: "/order", sentAs: orderSentAs, operation: "setOrderStatus", body, once };
}

function* cartParts(
  { event, path, once, subject }: LocatedEvent,
  operation: "addProductsToCart" | "removeProductsFromCart",
): Sliced<readonly Part[]> {
  const isAdding = operation === "addProductsToCart";
  const rename = isAdding ? toCartLine : toRemovedLine;
  const provided = { path: `${path}/products`, lines: productsOf(event), rename, sentAs: lineSentAs };
  const { lines: products, refused } = yield* isAdding ? cartLines(provided) : removedLines(provided);
  if (products.length === 0) return [...refused, withoutProducts(path, event)];
  const contact = isAdding ? contactOf(subject) : { identifiers: subject.identifiers };
  return [{ kind: "item", path, operation, body: { contact, products }, once }, ...refused];
}

function productsOf({ products }: Members): readonly unknown[] {
  return Array.isArray(products) ? products : [];
}

/** The product's id is its sku where it has no variants. */
function toOrderLine({ id, name, brand, category, variant, price, quantity, attributes }: Members): Members {
  return {
    productID: id,
    sku: variant ?? id,
    name,
    category,
    manufacturerName: brand,
    itemPrice: price,
    qty: quantity,
    properties: isMembers(attributes) ? attributes : undefined,
  };
}

function toCartLine(product: Members): Members {
  const { manufacturerName: _brand, qty, ...line } = toOrderLine(product);
  return { ...line, qty: qty ?? 1 };
}

/** Maps a removed line; one without a variant is taken from the lines of the product in order of sku. */
function toRemovedLine({ id, variant, quantity }: Members): Members {
  return { productID: id, sku: variant, qty: quantity ?? 1 };
}

function currencyOf(received: unknown): string | undefined {
  const code = textOf(received)?.trim().toUpperCase();
  return code !== undefined && /^[A-Z]{3}$/.test(code) ? code : undefined;
}
