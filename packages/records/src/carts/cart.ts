import type { Json, Version } from "@headwater/contracts";

/** One product in a cart: `productID` and `sku` name it. */
export interface CartLine {
  readonly productID: string;
  readonly sku: string;
  readonly qty: number;
  /** All other members, of the newest write of the line. */
  readonly members: { readonly [name: string]: Json };
  /** Size of the members' JSON: the line's part of the cart's space. */
  readonly characters: number;
}

/** A contact's cart. One without lines is kept: it says that the cart was emptied, and when. */
export interface Cart {
  readonly contact: number;
  /** The greatest version among its writes. Writes add up in order of arrival; the version decides the later of two carts. */
  readonly version: Version;
  /** `cartID`, `url`, `tax` and the like, as they were written. */
  readonly members: { readonly [name: string]: Json };
  /** Milliseconds since 1970; from then on the cart reads as empty. */
  readonly expiresAt: number | undefined;
  readonly lines: readonly CartLine[];
}

/** Carts of one account, as folds see them. */
export interface CartAccess {
  /** Finds the cart by the number of its live contact. */
  cart(contact: number): Cart | undefined;
  setCart(cart: Cart): void;
}

/** A cart as stored. */
export interface CartRow {
  readonly version: Version;
  /** Text of `{members, expiresAt?, lines: [[productID, sku, qty, members, characters]…]}`. */
  readonly doc: string;
}

export function toCartDocument({ members, expiresAt, lines }: Cart): string {
  return JSON.stringify({
    members,
    expiresAt,
    lines: lines.map((line) => [line.productID, line.sku, line.qty, line.members, line.characters]),
  });
}

interface CartDocument {
  readonly members: Cart["members"];
  readonly expiresAt?: number;
  readonly lines: readonly (readonly [string, string, number, Cart["members"], number])[];
}

/** A row of ours, written by `toCartDocument`. */
export function fromCartRow(contact: number, { version, doc }: CartRow): Cart {
  const { members, expiresAt, lines }: CartDocument = JSON.parse(doc);
  return {
    contact,
    version,
    members,
    expiresAt,
    lines: lines.map(([productID, sku, qty, inner, characters]) => ({
      productID,
      sku,
      qty,
      members: inner,
      characters,
    })),
  };
}
