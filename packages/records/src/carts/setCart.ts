import { sameJson, type shapes } from "@headwater/contracts";
import type { Origin } from "../contacts/contactIndex.ts";
import { type FoldResult, noChangeEvents } from "../fold/foldEvents.ts";
import type { FoldState } from "../fold/foldState.ts";
import type { Cart, CartLine } from "./cart.ts";
import { addProducts, type CartChanges, cartOf, later, removeProducts, writeCart } from "./changeCart.ts";

/** Changes that a caller requests of a contact's cart. */
export type CartRequest =
  /** Sets members of the cart; `lines` are all lines there are. `fresh`: nothing of the cart before stays. */
  | {
      readonly kind: "set";
      readonly fresh: boolean;
      readonly members: CartChanges;
      readonly lines?: readonly shapes.CartItemWrite[] | undefined;
    }
  | { readonly kind: "add"; readonly line: shapes.CartItemWrite }
  | { readonly kind: "remove"; readonly line: shapes.CartItemRemoval }
  | { readonly kind: "clear" };

export interface CartSet extends FoldResult {
  /** Lines that the cart has no space for: then nothing was written. */
  readonly left: number;
}

/** Writes a cart by the same rules as the cart operations of intake. A request that changes nothing writes nothing. */
export function setCart(state: FoldState, contact: number, request: CartRequest, origin: Origin): CartSet {
  const before = cartOf(state, contact, origin);
  const { cart: changed, left } = updateCart(before, request, origin);
  if (left > 0 || isSameContent(before, changed)) return { left, changeEvents: noChangeEvents };
  const cart = { ...changed, version: later(changed.version, origin.version) };
  state.setCart(cart);
  return { left, changeEvents: [{ kind: "cart", cart }] };
}

/** Returns whether two carts hold the same, whenever they were written. */
function isSameContent(one: Cart, other: Cart): boolean {
  return (
    one.expiresAt === other.expiresAt &&
    one.lines.length === other.lines.length &&
    sameJson(one.members, other.members) &&
    one.lines.every((line, at) => isSameLine(line, other.lines[at]))
  );
}

function isSameLine(one: CartLine, other: CartLine | undefined): boolean {
  if (other === undefined || one.qty !== other.qty) return false;
  return one.productID === other.productID && one.sku === other.sku && sameJson(one.members, other.members);
}

interface Changed {
  readonly cart: Cart;
  readonly left: number;
}

function updateCart(cart: Cart, request: CartRequest, origin: Origin): Changed {
  const { timezone } = origin.account.settings;
  switch (request.kind) {
    case "add":
      return addProducts(cart, [request.line], origin);
    case "remove":
      return { cart: removeProducts(cart, [request.line], origin) ?? cart, left: 0 };
    case "clear":
      return { cart: emptied(cart), left: 0 };
    case "set": {
      const before = request.fresh ? emptied(cart) : cart;
      const written = writeCart(before, request.members, timezone);
      return request.lines === undefined
        ? { cart: written, left: 0 }
        : addProducts({ ...written, lines: [] }, request.lines, origin);
    }
  }
}

function emptied({ contact, version }: Cart): Cart {
  return { contact, version, members: {}, expiresAt: undefined, lines: [] };
}
