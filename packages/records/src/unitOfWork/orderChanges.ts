import type { FoldState, Order } from "../fold/foldState.ts";
import { fromOrderRow, type OrderRow } from "../orders/orderDocument.ts";
import { orderKey, type UnloadedReads } from "./loadedRows.ts";

/** An order that a batch changed. */
export interface OrderChange {
  readonly account: number;
  readonly order: Order;
  readonly visible: boolean;
  /** The contact it was written for, when a merge has moved it: a split gives it back. */
  readonly mergedFrom: number | undefined;
  /** No record whose change is emitted may start an automation. */
  readonly suppressTriggers: boolean;
}

/** Emission of an order that changed. */
type Emitted = Pick<OrderChange, "visible" | "suppressTriggers">;

interface CurrentOrder {
  readonly account: number;
  readonly order: Order;
  /** Owner of the order: a record that names another one takes it from all merges. */
  owner: number;
  mergedFrom: number | undefined;
}

/** The orders of one batch: loaded rows under the changes of the records folded so far. */
export class OrderChanges {
  readonly #loaded: ReadonlyMap<string, OrderRow | null>;
  readonly #survivorOf: (contact: number) => number;
  readonly #unloaded: UnloadedReads;
  /** The orders that changed, by key. */
  readonly #changed = new Map<string, Emitted>();
  readonly #current = new Map<string, CurrentOrder>();

  /** @param survivorOf returns the contact that answers for one that the batch may have merged. */
  constructor(
    loaded: ReadonlyMap<string, OrderRow | null>,
    survivorOf: (contact: number) => number,
    unloaded: UnloadedReads,
  ) {
    this.#loaded = loaded;
    this.#survivorOf = survivorOf;
    this.#unloaded = unloaded;
  }

  /** Changes as they are after all merges so far. */
  get changed(): ReadonlyMap<string, OrderChange> {
    const result = new Map<string, OrderChange>();
    for (const [key, emitted] of this.#changed) {
      const current = this.#current.get(key);
      if (current === undefined) continue;
      const { account, order, mergedFrom } = this.#moved(current);
      result.set(key, { account, order, mergedFrom, ...emitted });
    }
    return result;
  }

  /** The orders as folds of one account see them. */
  of(account: number): Pick<FoldState, "order" | "setOrder"> {
    return {
      order: (orderId) => this.#get(account, orderId),
      setOrder: (order) => this.#set(account, order),
    };
  }

  #get(account: number, orderId: string): Order | undefined {
    const key = orderKey(account, orderId);
    const known = this.#current.get(key);
    if (known !== undefined) return this.#moved(known).order;
    const row = this.#loaded.get(key);
    if (row === undefined) return this.#unloaded.note({ kind: "order", account, orderId }, undefined);
    if (row === null) return undefined;
    const order = fromOrderRow(orderId, row);
    const current = { account, order, owner: row.contact, mergedFrom: row.mergedFrom ?? undefined };
    this.#current.set(key, current);
    return this.#moved(current).order;
  }

  /** Merges of the batch move an order as those of earlier batches have: it remembers whom it was written for first. */
  #moved(current: CurrentOrder): CurrentOrder {
    const survivor = this.#survivorOf(current.owner);
    if (survivor !== current.owner) {
      current.mergedFrom ??= current.owner;
      current.owner = survivor;
      current.order.contact = survivor;
    }
    return current;
  }

  #set(account: number, order: Order): void {
    const key = orderKey(account, order.orderId);
    const before = this.#current.get(key);
    const mergedFrom = before?.owner === order.contact ? before.mergedFrom : undefined;
    this.#current.set(key, { account, order, owner: order.contact, mergedFrom });
    if (!this.#changed.has(key)) this.#changed.set(key, notEmitted);
  }

  emit(account: number, { orderId }: Order, suppressed: boolean): void {
    const key = orderKey(account, orderId);
    const { suppressTriggers } = this.#changed.get(key) ?? notEmitted;
    this.#changed.set(key, { visible: true, suppressTriggers: suppressTriggers && suppressed });
  }
}

const notEmitted: Emitted = { visible: false, suppressTriggers: true };
