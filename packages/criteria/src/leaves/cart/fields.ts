import { type PropertyOwner, typed } from "../../parse/parseProperties.ts";

/** The members of a cart that a rule can name. */
export const cartOwner: PropertyOwner = {
  called: "a cart",
  fields: new Map([
    ...typed("string", ["cartID", "customerID", "url", "mcID"]),
    ...typed("number", ["totalAmount"]),
    ...typed("date", ["updatedAt", "expiration"]),
  ]),
};

/** The members of a cart's line that a rule can name. */
export const lineOwner: PropertyOwner = {
  called: "a line",
  fields: new Map([
    ...typed("string", ["productID", "sku", "category", "name", "description", "url"]),
    ...typed("number", ["itemPrice", "qty", "amount"]),
    ...typed("array", ["images"]),
    ...typed("auto", ["properties.*", "attr.*"]),
  ]),
};
