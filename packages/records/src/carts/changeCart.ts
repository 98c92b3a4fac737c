import { type Json, parseTime, shapes, timeOfVersion, toJson, type Version } from "@headwater/contracts";
import type { Origin } from "../contacts/contactIndex.ts";
import { identifiersTouched, readIdentifiers } from "../contacts/readIdentifiers.ts";
import { type FoldEvent, noChangeEvents } from "../fold/foldEvents.ts";
import type { FoldState } from "../fold/foldState.ts";
import type { StateReads } from "../fold/stateReads.ts";
import type { Cart, CartLine } from "./cart.ts";

const { linesPerCart, charactersPerCart } = shapes.bounds;

/** Returns the reads of a record that writes the cart of its contact. */
export function cartReads(contact: shapes.ContactWrite, origin: Pick<Origin, "account">): StateReads {
  const read = readIdentifiers(contact, origin);
  return { identifiers: identifiersTouched(read), read, members: true, cart: true };
}

/** The contact's cart as the record finds it: one that has expired by then is empty, as it reads. */
export function cartOf(state: FoldState, contact: number, origin: Origin): Cart {
  const cart = state.cart(contact);
  if (cart === undefined) return emptyCart(contact, origin.version);
  const isExpired = cart.expiresAt !== undefined && cart.expiresAt <= timeOfVersion(origin.version);
  return isExpired ? emptyCart(contact, later(cart.version, origin.version)) : cart;
}

function emptyCart(contact: number, version: Version): Cart {
  return { contact, version, members: {}, expiresAt: undefined, lines: [] };
}

/**
 * Adds products to the cart's lines: quantities sum, all other members of a line are the newest's.
 * @returns the cart, and how many of the products it has no space for.
 */
export function addProducts(
  cart: Cart,
  products: readonly shapes.CartItemWrite[],
  { version }: Pick<Origin, "version">,
) {
  const lines = new Map(cart.lines.map((line) => [lineKey(line), line]));
  let characters = cart.lines.reduce((sum, line) => sum + line.characters, 0);
  let left = 0;
  for (const product of products) {
    const before = lines.get(lineKey(product));
    const line = toLine(product, before?.qty ?? 0);
    const after = characters - (before?.characters ?? 0) + line.characters;
    if (after > charactersPerCart || (before === undefined && lines.size >= linesPerCart)) {
      left++;
      continue;
    }
    characters = after;
    lines.set(lineKey(line), line);
  }
  return { cart: { ...cart, version: later(cart.version, version), lines: [...lines.values()] }, left };
}

function toLine({ productID, sku, qty, ...input }: shapes.CartItemWrite, before: number): CartLine {
  const members: Record<string, Json> = {};
  for (const [name, value] of Object.entries(input)) if (value !== undefined) members[name] = toJson(value);
  const sum = Math.min(before + qty, shapes.bounds.qtyOfCartLine);
  return { productID, sku, qty: sum, members, characters: JSON.stringify(members).length };
}

/** Members of a cart next to its lines: absent = unchanged, null = removed. */
export type CartChanges = { readonly [Name in keyof shapes.CartWrite]: shapes.CartWrite[Name] | null };

/** Writes the cart's members next to its lines, last write wins. A date alone is its midnight in `timezone`. */
export function writeCart(cart: Cart, write: CartChanges | undefined, timezone: string): Cart {
  if (write === undefined) return cart;
  const members: Record<string, Json> = { ...cart.members };
  const { expiration, ...provided } = write;
  for (const [name, value] of Object.entries(provided)) {
    if (value === null) delete members[name];
    else if (value !== undefined) members[name] = value;
  }
  if (expiration === undefined) return { ...cart, members };
  return { ...cart, members, expiresAt: expiration === null ? undefined : parseTime(expiration, timezone) };
}

/**
 * Takes products out: without a `sku` from the lines of the product in order of `sku`. A line below 1 goes; more than
 * there is is no error. @returns undefined when the cart has none of them.
 */
export function removeProducts(
  cart: Cart,
  products: readonly shapes.CartItemRemoval[],
  { version }: Pick<Origin, "version">,
): Cart | undefined {
  const lines = new Map(cart.lines.map((line) => [lineKey(line), line]));
  let taken = 0;
  for (const product of products) {
    let wanted = product.qty;
    for (const line of linesOf(lines, product)) {
      const count = Math.min(line.qty, wanted);
      wanted -= count;
      taken += count;
      if (line.qty > count) lines.set(lineKey(line), { ...line, qty: line.qty - count });
      else lines.delete(lineKey(line));
      if (wanted === 0) break;
    }
  }
  if (taken === 0) return undefined;
  return { ...cart, version: later(cart.version, version), lines: [...lines.values()] };
}

function linesOf(lines: ReadonlyMap<string, CartLine>, { productID, sku }: shapes.CartItemRemoval): CartLine[] {
  if (sku === undefined || sku === null) {
    return [...lines.values()].filter((line) => line.productID === productID).sort((a, b) => (a.sku < b.sku ? -1 : 1));
  }
  const line = lines.get(lineKey({ productID, sku }));
  return line === undefined ? [] : [line];
}

/** The order made of a cart empties it. @returns no events when there was nothing to empty. */
export function emptyCartOfOrder(
  state: FoldState,
  contact: number,
  cartID: unknown,
  origin: Origin,
): readonly FoldEvent[] {
  if (typeof cartID !== "string") return noChangeEvents;
  const cart = cartOf(state, contact, origin);
  if (cart.lines.length === 0 || cart.members.cartID !== cartID) return noChangeEvents;
  const emptied = emptyCart(contact, later(cart.version, origin.version));
  state.setCart(emptied);
  return [{ kind: "cart", cart: emptied }];
}

export function later(left: Version, right: Version): Version {
  return left > right ? left : right;
}

/** Validation refuses NUL: no product or sku holds it. */
function lineKey({ productID, sku }: Pick<CartLine, "productID" | "sku">): string {
  return `${productID}\0${sku}`;
}
