import type { CartAccess } from "../carts/cart.ts";
import type { CartChanged, SupplementRecordChanged } from "../fold/foldEvents.ts";
import type { SupplementAccess, SupplementClear } from "../supplements/supplement.ts";
import { type CartChange, CartChanges } from "./cartChanges.ts";
import type { LoadedRows, UnloadedReads } from "./loadedRows.ts";
import { SupplementChanges, type SupplementRecordChange } from "./supplementChanges.ts";

/** Changes of a batch to carts and supplement records. */
export interface CartsAndSupplementsChanges {
  /** Carts by contact. */
  readonly carts: ReadonlyMap<number, CartChange>;
  /** Records by `supplementRecordKey`. */
  readonly supplementRecords: ReadonlyMap<string, SupplementRecordChange>;
  readonly supplementClears: readonly SupplementClear[];
}

type Loaded = Pick<LoadedRows, "carts" | "supplements" | "supplementRecords">;

/** Carts and supplement records of one batch. */
export class CartsAndSupplements {
  readonly carts: CartChanges;
  readonly #supplements: SupplementChanges;

  constructor(loaded: Loaded, isCreated: (contact: number) => boolean, unloaded: UnloadedReads) {
    this.carts = new CartChanges(loaded.carts, isCreated, unloaded);
    this.#supplements = new SupplementChanges(loaded, unloaded);
  }

  of(account: number): CartAccess & SupplementAccess {
    return { ...this.carts.of(account), ...this.#supplements.of(account) };
  }

  emit(account: number, event: CartChanged | SupplementRecordChanged, suppressTriggers: boolean): void {
    if (event.kind === "cart") this.carts.emit(event, suppressTriggers);
    else this.#supplements.emit(account, event.record);
  }

  changes(): CartsAndSupplementsChanges {
    const { changed: supplementRecords, clears: supplementClears } = this.#supplements;
    return { carts: this.carts.changed, supplementRecords, supplementClears };
  }
}
