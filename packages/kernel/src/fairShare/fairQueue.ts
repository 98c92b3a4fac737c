/** Names who shares: an account by its number or id, or `SYSTEM_FLOW`. */
export type FlowKey = string | number;

export interface FairQueueOptions<Item> {
  /** Cost that a flow of weight 1 may spend in each round. */
  readonly quantum: number;
  /** Checked when an item is served, so an item may grow while it waits. */
  readonly costOf: (item: Item) => number;
  /** Rounds count as often as the weight says; default 1 for every flow. */
  readonly weightOf?: ((flow: FlowKey) => number) | undefined;
}

/** Items of many flows, first in first out within a flow, shared fairly between flows. */
export interface FairQueue<Item> {
  add(flow: FlowKey, item: Item): void;
  /** Takes the next item; a flow for which `mayServe` says no is passed over. Undefined when none may be served. */
  next(mayServe?: (flow: FlowKey, item: Item) => boolean): Item | undefined;
  /** Takes an item out. @returns false when it does not wait. */
  remove(flow: FlowKey, item: Item): boolean;
  /** Takes the newest item out of the flow that has most of them waiting. */
  removeFromLongest(): { readonly flow: FlowKey; readonly item: Item } | undefined;
  /** Items that wait, of one flow or of all. */
  size(flow?: FlowKey): number;
  /** The most items that one flow has waiting. */
  longest(): number;
  /** Flows that have something waiting, in the order of the round. */
  flows(): Iterable<FlowKey>;
  /** All that waits, flow by flow, each flow's in order. */
  entries(): Iterable<readonly [FlowKey, Item]>;
  /** Returns the next item of each flow. */
  heads(): Iterable<Item>;
}

/** Bounds the rounds before the largest item is served. */
const WEIGHT_MIN = 0.001;

interface Flow<Item> {
  readonly items: Item[];
  /** Unspent cost of this and earlier rounds; lost when the flow runs dry. */
  deficit: number;
  isGranted: boolean;
}

/**
 * Deficit round robin (Shreedhar and Varghese, 1995): in each round a flow may spend its quantum and what it has left, so no
 * flow waits for more than a quantum and an item of each other flow, whatever those have queued. Constant work an item;
 * memory for flows that wait only.
 */
export function createFairQueue<Item>(options: FairQueueOptions<Item>): FairQueue<Item> {
  return new DeficitRoundRobin(options);
}

class DeficitRoundRobin<Item> implements FairQueue<Item> {
  readonly #quantum: number;
  readonly #weightOf: (flow: FlowKey) => number;
  readonly #costOf: FairQueueOptions<Item>["costOf"];
  /** Flows in the order of the round; the first one has its turn. */
  readonly #ring = new Map<FlowKey, Flow<Item>>();
  #waiting = 0;

  constructor({ quantum, costOf, weightOf = () => 1 }: FairQueueOptions<Item>) {
    this.#quantum = quantum;
    this.#weightOf = weightOf;
    this.#costOf = costOf;
  }

  add(key: FlowKey, item: Item): void {
    this.#waiting += 1;
    const flow = this.#ring.get(key);
    if (flow === undefined) this.#ring.set(key, { items: [item], deficit: 0, isGranted: false });
    else flow.items.push(item);
  }

  next(mayServe: (flow: FlowKey, item: Item) => boolean = () => true): Item | undefined {
    for (let passedOver = 0; passedOver < this.#ring.size; ) {
      const [[key, flow] = []] = this.#ring;
      const head = flow?.items[0];
      if (key === undefined || flow === undefined || head === undefined) return undefined;
      const isServed = mayServe(key, head);
      const served = isServed ? this.#serve(key, flow, head) : undefined;
      if (served !== undefined) return served;
      this.#passTurn(key, flow);
      passedOver = isServed ? 0 : passedOver + 1;
    }
    return undefined;
  }

  remove(key: FlowKey, item: Item): boolean {
    const flow = this.#ring.get(key);
    const index = flow?.items.indexOf(item) ?? -1;
    if (flow === undefined || index < 0) return false;
    this.#take(key, flow, index);
    return true;
  }

  removeFromLongest(): { readonly flow: FlowKey; readonly item: Item } | undefined {
    const [key, flow] = this.#longestFlow() ?? [];
    if (key === undefined || flow === undefined) return undefined;
    const item = this.#take(key, flow, flow.items.length - 1);
    return item === undefined ? undefined : { flow: key, item };
  }

  size(key?: FlowKey): number {
    return key === undefined ? this.#waiting : (this.#ring.get(key)?.items.length ?? 0);
  }

  longest(): number {
    return this.#longestFlow()?.[1].items.length ?? 0;
  }

  flows(): Iterable<FlowKey> {
    return this.#ring.keys();
  }

  *entries(): Generator<readonly [FlowKey, Item]> {
    for (const [key, { items }] of this.#ring) for (const item of items) yield [key, item] as const;
  }

  *heads(): Generator<Item> {
    for (const { items } of this.#ring.values()) if (items[0] !== undefined) yield items[0];
  }

  #passTurn(key: FlowKey, flow: Flow<Item>): void {
    flow.isGranted = false;
    this.#ring.delete(key);
    this.#ring.set(key, flow);
  }

  /** @returns the first item when the flow may spend what it costs. */
  #serve(key: FlowKey, flow: Flow<Item>, head: Item): Item | undefined {
    if (!flow.isGranted) flow.deficit += this.#quantum * Math.max(WEIGHT_MIN, this.#weightOf(key));
    flow.isGranted = true;
    const cost = this.#costOf(head);
    if (flow.deficit < cost) return undefined;
    flow.deficit -= cost;
    this.#take(key, flow, 0);
    return head;
  }

  #take(key: FlowKey, flow: Flow<Item>, index: number): Item | undefined {
    const [item] = flow.items.splice(index, 1);
    this.#waiting -= 1;
    if (flow.items.length === 0) this.#ring.delete(key);
    return item;
  }

  #longestFlow(): [FlowKey, Flow<Item>] | undefined {
    let found: [FlowKey, Flow<Item>] | undefined;
    for (const entry of this.#ring) if (entry[1].items.length > (found?.[1].items.length ?? 0)) found = entry;
    return found;
  }
}
