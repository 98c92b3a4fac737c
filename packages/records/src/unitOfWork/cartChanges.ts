import type { Version } from "@headwater/contracts";
import { type Cart, type CartAccess, type CartRow, fromCartRow } from "../carts/cart.ts";
import type { CartsOfPair } from "../contacts/storedMerge.ts";
import type { CartChanged } from "../fold/foldEvents.ts";
import type { UnloadedReads } from "./loadedRows.ts";

/** A cart that a batch changed. */
export interface CartChange {
  readonly account: number;
  readonly cart: Cart;
  /** Set by a change event. */
  readonly visible: boolean;
  /** The version it has in the history when it is not its own: a split puts old ones back. */
  readonly emittedAs?: Version | undefined;
  /** No record whose change is emitted may start an automation. Moves by a merge start none either. */
  readonly suppressTriggers: boolean;
}

/** The carts of one batch: loaded rows under the changes of the records folded so far. */
export class CartChanges {
  readonly #loaded: ReadonlyMap<number, CartRow | null>;
  readonly #read = new Map<number, Cart>();
  readonly #isMade: (contact: number) => boolean;
  readonly #unloaded: UnloadedReads;
  readonly #changed = new Map<number, CartChange>();

  /** @param isCreated a contact that the batch made has no cart that is stored. */
  constructor(
    loaded: ReadonlyMap<number, CartRow | null>,
    isCreated: (contact: number) => boolean,
    unloaded: UnloadedReads,
  ) {
    this.#loaded = loaded;
    this.#isMade = isCreated;
    this.#unloaded = unloaded;
  }

  /** Changes by contact; those of contacts that were merged are no longer among them. */
  get changed(): ReadonlyMap<number, CartChange> {
    return this.#changed;
  }

  /** The carts as folds of one account see them. */
  of(account: number): CartAccess {
    return {
      cart: (contact) => this.#get(account, contact),
      setCart: (cart) => this.#set(account, cart, this.#changed.get(cart.contact)?.visible === true),
    };
  }

  #get(account: number, contact: number): Cart | undefined {
    const known = this.#changed.get(contact)?.cart ?? this.#read.get(contact);
    if (known !== undefined) return known;
    const loaded = this.#loaded.get(contact);
    const row = loaded === undefined && this.#isMade(contact) ? null : loaded;
    if (row === undefined) return this.#unloaded.note({ kind: "cart", account, contact }, undefined);
    if (row === null) return undefined;
    const cart = fromCartRow(contact, row);
    this.#read.set(contact, cart);
    return cart;
  }

  #set(account: number, cart: Cart, visible: boolean, movedFrom?: number): void {
    const changed = [
      this.#changed.get(cart.contact),
      movedFrom === undefined ? undefined : this.#changed.get(movedFrom),
    ];
    const suppressTriggers = changed.every((change) => change?.suppressTriggers !== false);
    this.#changed.set(cart.contact, { account, cart, visible, suppressTriggers });
  }

  /** Nothing is emitted of a cart whose contact was merged since: the merge says that it is gone. */
  emit({ cart: { contact }, emittedAs }: CartChanged, suppressed: boolean): void {
    const change = this.#changed.get(contact);
    if (change === undefined) return;
    const suppressTriggers = change.suppressTriggers && (suppressed || emittedAs !== undefined);
    this.#changed.set(contact, { ...change, visible: true, emittedAs, suppressTriggers });
  }

  /** Merges two carts: the later one stays, whole. @returns both as they were, for the record of the merge. */
  merge(account: number, survivor: number, merged: number): CartsOfPair {
    const ours = this.#get(account, survivor);
    const theirs = this.#get(account, merged);
    if (theirs !== undefined && (ours === undefined || theirs.version > ours.version)) {
      this.#set(account, { ...theirs, contact: survivor }, true, merged);
    }
    this.#changed.delete(merged);
    return { ...(ours && { survivor: ours }), ...(theirs && { merged: theirs }) };
  }
}
