import type { FieldType } from "./criteria.ts";

const ADDRESS = ["name", "address", "city", "state", "postalCode", "country"] as const;

function typed(type: FieldType, names: readonly string[]): (readonly [string, FieldType])[] {
  return names.map((name) => [name, type]);
}

/** The members of an order that a rule can name, as the API shows them. `x.*` stands for every member below `x`. */
export const ORDER_FIELDS: ReadonlyMap<string, FieldType> = new Map([
  ...typed("string", ["orderID", "status", "customerID", "storeID", "mcID", "msID", "linkID", "cartID", "currency"]),
  ...typed("string", ["discountApplication.type"]),
  ...typed(
    "string",
    ADDRESS.flatMap((member) => [`shippingAddress.${member}`, `billingAddress.${member}`]),
  ),
  ...typed("date", ["purchaseDate"]),
  ...typed("number", [
    "totalAmount",
    "totalDiscountAmount",
    "tax",
    "shippingAndHandling",
    "discountApplication.amount",
  ]),
  ...typed("boolean", ["totalComputed"]),
  ...typed("auto", ["properties.*"]),
]);

/** The members of an order's item that a rule can name. */
export const ITEM_FIELDS: ReadonlyMap<string, FieldType> = new Map([
  ...typed("string", ["productID", "sku", "name", "manufacturerName", "category", "url", "description", "productType"]),
  ...typed("string", ["UPCCode"]),
  ...typed("number", ["itemPrice", "salePrice", "qty", "amount"]),
  ...typed("array", ["images", "tags"]),
  ...typed("boolean", ["inStock", "taxable", "enabled"]),
  ...typed("auto", ["properties.*", "attr.*"]),
]);

/** The members of a cart that a rule can name. */
export const CART_FIELDS: ReadonlyMap<string, FieldType> = new Map([
  ...typed("string", ["cartID", "customerID", "url", "mcID"]),
  ...typed("number", ["totalAmount"]),
  ...typed("date", ["updatedAt", "expiration"]),
]);

/** The members of a cart's line that a rule can name. */
export const LINE_FIELDS: ReadonlyMap<string, FieldType> = new Map([
  ...typed("string", ["productID", "sku", "category", "name", "description", "url"]),
  ...typed("number", ["itemPrice", "qty", "amount"]),
  ...typed("array", ["images"]),
  ...typed("auto", ["properties.*", "attr.*"]),
]);

/** The parts of an event beside its properties that a rule can name. */
export const EVENT_FIELDS: ReadonlyMap<string, FieldType> = new Map([
  ...typed("string", ["geo.city", "geo.country"]),
  ...typed("number", ["geo.geoLoc.lat", "geo.geoLoc.lon"]),
  ...typed("geo", ["geo.geoLoc"]),
  ...typed(
    "string",
    ["type", "device", "platform", "browser", "ip"].map((member) => `device.${member}`),
  ),
  ...typed("boolean", ["device.robot"]),
]);
