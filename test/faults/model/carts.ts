import { type Members, type ModelContact, membersOf, survivorOf, timeOf } from "./shapes.ts";

export interface ModelLine {
  readonly productID: string;
  readonly sku: string;
  qty: number;
  members: Members;
}

export interface ModelCart {
  contact: ModelContact;
  version: string;
  members: Members;
  expiresAt: number | undefined;
  lines: ModelLine[];
}

/** Carts by the cid of their contact, in order of arrival: what is added adds up. */
export class ModelCarts {
  readonly all = new Map<string, ModelCart>();

  add(contact: ModelContact, record: Members, version: string): void {
    const cart = this.#at(contact, version) ?? emptyCart(contact, version);
    for (const input of listOf(record.products)) {
      const { productID, sku, qty, ...members } = membersOf(input);
      const line = cart.lines.find((one) => one.productID === productID && one.sku === sku);
      if (line === undefined) {
        cart.lines.push({ productID: String(productID), sku: String(sku), qty: Number(qty), members });
      } else {
        line.qty += Number(qty);
        line.members = members;
      }
    }
    const { expiration, ...members } = membersOf(record.cart);
    cart.members = { ...cart.members, ...members };
    if (expiration !== undefined) cart.expiresAt = Date.parse(String(expiration));
    this.#set(cart, version);
  }

  /** @returns whether anything was taken out. */
  remove(contact: ModelContact, record: Members, version: string): boolean {
    const cart = this.#at(contact, version);
    if (cart === undefined) return false;
    let taken = 0;
    for (const provided of listOf(record.products)) {
      const { productID, sku, qty } = membersOf(provided);
      let wanted = Number(qty);
      const lines = cart.lines.filter((one) => one.productID === productID && (sku ?? one.sku) === one.sku);
      for (const line of lines.sort((a, b) => (a.sku < b.sku ? -1 : 1))) {
        const count = Math.min(wanted, line.qty);
        wanted -= count;
        taken += count;
        line.qty -= count;
      }
      cart.lines = cart.lines.filter((line) => line.qty > 0);
    }
    if (taken > 0) this.#set(cart, version);
    return taken > 0;
  }

  /** @returns whether the order emptied a cart. */
  order(contact: ModelContact, cartID: unknown, version: string): boolean {
    const cart = this.#at(contact, version);
    if (cart === undefined || cart.lines.length === 0 || cart.members.cartID !== cartID) return false;
    this.#set({ ...emptyCart(contact, version), version: cart.version }, version);
    return true;
  }

  /** Joins two carts: the later one stays. */
  join(survivor: ModelContact, dead: ModelContact): void {
    const theirs = this.all.get(dead.cid);
    const ours = this.all.get(survivor.cid);
    this.all.delete(dead.cid);
    if (theirs === undefined || (ours !== undefined && ours.version >= theirs.version)) return;
    theirs.contact = survivor;
    this.all.set(survivor.cid, theirs);
  }

  /** A cart that has expired by then is none. */
  #at(contact: ModelContact, version: string): ModelCart | undefined {
    const cart = this.all.get(survivorOf(contact).cid);
    if (cart?.expiresAt === undefined || timeOf(version) < cart.expiresAt) return cart;
    return { ...emptyCart(contact, version), version: cart.version };
  }

  #set(cart: ModelCart, version: string): void {
    if (version > cart.version) cart.version = version;
    this.all.set(cart.contact.cid, cart);
  }
}

function emptyCart(contact: ModelContact, version: string): ModelCart {
  return { contact, version, members: {}, expiresAt: undefined, lines: [] };
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
