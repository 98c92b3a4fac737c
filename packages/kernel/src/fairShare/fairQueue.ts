/** Names who shares: an account by its number or id, or `SYSTEM_FLOW`. */
export type FlowKey = string | number;

export interface FairQueueOptions<Item> {
  /** Cost that a flow of weight 1 may spend in each round. */
  readonly quantum: number;
  /** Looked at when an item is served, so an item may grow while it waits. */
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
  dropFromLongest(): { readonly flow: FlowKey; readonly item: Item } | undefined;
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
export function createFairQueue<Item>({
  quantum,
  costOf,
  weightOf = () => 1,
}: FairQueueOptions<Item>): FairQueue<Item> {
  /** Flows in the order of the round; the first one has its turn. */
  const ring = new Map<FlowKey, Flow<Item>>();
  let waiting = 0;

  function passTurn(key: FlowKey, flow: Flow<Item>): void {
    flow.isGranted = false;
    ring.delete(key);
    ring.set(key, flow);
  }

  /** @returns the first item when the flow may spend what it costs. */
  function serve(key: FlowKey, flow: Flow<Item>, head: Item): Item | undefined {
    if (!flow.isGranted) flow.deficit += quantum * Math.max(WEIGHT_MIN, weightOf(key));
    flow.isGranted = true;
    const cost = costOf(head);
    if (flow.deficit < cost) return undefined;
    flow.deficit -= cost;
    take(key, flow, 0);
    return head;
  }

  function take(key: FlowKey, flow: Flow<Item>, index: number): Item | undefined {
    const [item] = flow.items.splice(index, 1);
    waiting -= 1;
    if (flow.items.length === 0) ring.delete(key);
    return item;
  }

  function longestFlow(): [FlowKey, Flow<Item>] | undefined {
    let found: [FlowKey, Flow<Item>] | undefined;
    for (const entry of ring) if (entry[1].items.length > (found?.[1].items.length ?? 0)) found = entry;
    return found;
  }

  return {
    add(key, item) {
      waiting += 1;
      const flow = ring.get(key);
      if (flow === undefined) ring.set(key, { items: [item], deficit: 0, isGranted: false });
      else flow.items.push(item);
    },
    next(mayServe = () => true) {
      for (let passedOver = 0; passedOver < ring.size; ) {
        const [[key, flow] = []] = ring;
        const head = flow?.items[0];
        if (key === undefined || flow === undefined || head === undefined) return undefined;
        const isServed = mayServe(key, head);
        const served = isServed ? serve(key, flow, head) : undefined;
        if (served !== undefined) return served;
        passTurn(key, flow);
        passedOver = isServed ? 0 : passedOver + 1;
      }
      return undefined;
    },
    remove(key, item) {
      const flow = ring.get(key);
      const index = flow?.items.indexOf(item) ?? -1;
      if (flow === undefined || index < 0) return false;
      take(key, flow, index);
      return true;
    },
    dropFromLongest() {
      const [key, flow] = longestFlow() ?? [];
      if (key === undefined || flow === undefined) return undefined;
      const item = take(key, flow, flow.items.length - 1);
      return item === undefined ? undefined : { flow: key, item };
    },
    size: (key) => (key === undefined ? waiting : (ring.get(key)?.items.length ?? 0)),
    longest: () => longestFlow()?.[1].items.length ?? 0,
    flows: () => ring.keys(),
    *entries() {
      for (const [key, { items }] of ring) for (const item of items) yield [key, item] as const;
    },
    *heads() {
      for (const { items } of ring.values()) if (items[0] !== undefined) yield items[0];
    },
  };
}
