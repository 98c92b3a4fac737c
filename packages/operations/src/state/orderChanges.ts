import type { FoldState, Order } from "./foldState.ts";
import { type OrderRow, orderKey, StateMissing } from "./loaded.ts";
import { fromOrderRow } from "./orderDocument.ts";

/** An order that a batch changed. */
export interface OrderChange {
  readonly account: number;
  readonly order: Order;
  readonly visible: boolean;
}

/** The orders of one batch: loaded rows under the changes of the records folded so far. */
export class OrderChanges {
  readonly #loaded: ReadonlyMap<string, OrderRow | null>;
  readonly #living: (contact: number) => number;
  readonly #changed = new Map<string, OrderChange>();
  readonly #read = new Map<string, Order>();

  /** @param living the contact that answers for one that the batch may have merged. */
  constructor(loaded: ReadonlyMap<string, OrderRow | null>, living: (contact: number) => number) {
    this.#loaded = loaded;
    this.#living = living;
  }

  get changed(): ReadonlyMap<string, OrderChange> {
    return this.#changed;
  }

  /** The orders as folds of one account see them. */
  of(account: number): Pick<FoldState, "order" | "setOrder"> {
    return {
      order: (orderId) => this.#get(account, orderId),
      setOrder: (order, visible) => this.#set(account, order, visible),
    };
  }

  #get(account: number, orderId: string): Order | undefined {
    const key = orderKey(account, orderId);
    const read = this.#read.get(key);
    if (read !== undefined) return read;
    const row = this.#loaded.get(key);
    if (row === undefined) throw new StateMissing({ kind: "order", account, orderId });
    if (row === null) return undefined;
    const order = fromOrderRow(orderId, row);
    order.contact = this.#living(order.contact);
    this.#read.set(key, order);
    return order;
  }

  #set(account: number, order: Order, visible: boolean): void {
    const key = orderKey(account, order.orderId);
    const before = this.#changed.get(key);
    this.#read.set(key, order);
    this.#changed.set(key, { account, order, visible: visible || before?.visible === true });
  }
}
