import { shapes } from "@headwater/contracts";
import { z } from "zod";

/** Members whose numbers keep every digit. */
export const exactCartMembers: ReadonlySet<string> = new Set(["itemPrice", "tax"]);

const { qty, ...lineMembers } = shapes.cartItem.shape;
/** One product; `qty` is 1 where it is not given. */
export const cartLine = z.object({ ...lineMembers, qty: qty.default(1) });
export type CartLine = z.output<typeof cartLine>;
/** Body that adds one product. */
export const addedLine = cartLine.extend({ suppressTriggers: shapes.suppressTriggers });
const cartitems = z.array(cartLine).max(shapes.bounds.linesPerCart);
const { cartID, customerID, mcID, linkID, url, expiration, tax } = shapes.cart.shape;
/** Absent = unchanged, `null` = removed. */
const members = {
  cartID: cartID.nullable(),
  customerID: customerID.nullable(),
  mcID: mcID.nullable(),
  linkID: linkID.nullable(),
  url: url.nullable(),
  expiration: expiration.nullable(),
  tax: tax.nullable(),
  suppressTriggers: shapes.suppressTriggers,
};

export const newCartBody = z.object({ ...members, cartitems });
export const cartBody = z.object({
  ...members,
  cartitems: cartitems.optional(),
  items: cartitems.optional().describe("The same as `cartitems`, under the name that an answer with a cart has."),
});
export type CartBody = Omit<z.output<typeof cartBody>, "suppressTriggers">;

export const cartLineExample = {
  productID: "85123A",
  sku: "85123A",
  category: "Decoration",
  name: "White hanging heart",
  itemPrice: 2.55,
  qty: 6,
};
export const cartBodyExample = {
  cartID: "C-1001",
  url: "https://shop.example.com/cart/C-1001",
  cartitems: [cartLineExample],
};
