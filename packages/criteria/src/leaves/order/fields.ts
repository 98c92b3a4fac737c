import { type PropertyOwner, typed } from "../../parse/parseProperties.ts";

/** The members of an order's item that a rule can name. */
export const itemOwner: PropertyOwner = {
  called: "an item",
  fields: new Map([
    ...typed("string", [
      "productID",
      "sku",
      "name",
      "manufacturerName",
      "category",
      "url",
      "description",
      "productType",
    ]),
    ...typed("string", ["UPCCode"]),
    ...typed("number", ["itemPrice", "salePrice", "qty", "amount"]),
    ...typed("array", ["images", "tags"]),
    ...typed("boolean", ["inStock", "taxable", "enabled"]),
    ...typed("auto", ["properties.*", "attr.*"]),
  ]),
};

const ADDRESS = ["name", "address", "city", "state", "postalCode", "country"] as const;

/** The members of an order that a rule can name, as the API shows them. */
export const orderOwner: PropertyOwner = {
  called: "an order",
  fields: new Map([
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
  ]),
  items: itemOwner,
  // Responses show the discount under a name of its own; orders store it where it was sent.
  nameOf: (name) =>
    name === "totalDiscountAmount" ? { segments: ["discountApplication", "amount"], type: "number" } : undefined,
};
