import type { HeadwaterError } from "../errors.ts";
import { createFairQueue, type FairQueue, type FlowKey } from "./fairQueue.ts";
import { allTaken, overShare } from "./overShare.ts";

export interface FairGateOptions {
  /** Names what is shared in refusals: "This account has too many <what> under way." */
  readonly what: string;
  /** Tasks that run at a time. */
  readonly slots: number;
  /** Tasks of one flow that run at a time, lent slots included: the rest is free for whoever comes. */
  readonly slotsPerFlow: number;
  /** Tasks of one flow that wait; default 0. */
  readonly waitingPerFlow?: number;
  /** Tasks that wait in all; default 64 flows' worth. */
  readonly waitingMax?: number;
  /** Longest time that a task waits for its turn; default 5 s. */
  readonly waitMsMax?: number;
  readonly weightOf?: (flow: FlowKey) => number;
  /** Cost that a flow may spend in its turn; default 1, so that every turn is one task where tasks cost 1. */
  readonly quantum?: number;
}

/** Options of one task. */
export interface TaskOptions {
  /** Aborted when nobody waits for it any more: it leaves the queue. */
  readonly signal?: AbortSignal | undefined;
  /** Default 1. */
  readonly cost?: number;
}

export interface GateStats {
  readonly running: number;
  readonly waiting: number;
  /** Flows that have anything running or waiting. */
  readonly flows: number;
  /** Tasks that were refused since the start. */
  readonly refused: number;
}

/** Slots that accounts share. */
export interface FairGate {
  /**
   * Runs the task when it is its flow's turn. `depth` is how many tasks of its flow run already: above 0 the slot may be lent.
   * @throws HeadwaterError 429 when the flow has more waiting than it may, 503 when the others have; the signal's reason.
   */
  run<Result>(flow: FlowKey, task: (depth: number) => Promise<Result>, options?: TaskOptions): Promise<Result>;
  stats(): GateStats;
}

interface Waiting {
  readonly flow: FlowKey;
  readonly cost: number;
  readonly start: () => void;
  readonly refuse: (error: unknown) => void;
}

const WAIT_MS_MAX = 5_000;
const FLOWS_WORTH = 64;

/**
 * Max-min fair slots: a free slot goes to a flow that has less than its share, in turn; else it is lent to one that has less
 * than its bound. No slot is idle while a flow within its bound waits. When the queue is full, the flow with most of
 * them loses its newest, so nobody is refused for what another does.
 */
export function createFairGate(options: FairGateOptions): FairGate {
  return new SlotGate(options);
}

class SlotGate implements FairGate {
  readonly #slots: number;
  readonly #slotsPerFlow: number;
  readonly #weightOf: (flow: FlowKey) => number;
  readonly #what: string;
  readonly #waitingPerFlow: number;
  readonly #waitMsMax: number;
  readonly #waitingMax: number;
  readonly #queue: FairQueue<Waiting>;
  /** Tasks that run, by flow. */
  readonly #running = new Map<FlowKey, number>();
  #runningAll = 0;
  #refused = 0;

  constructor(options: FairGateOptions) {
    const { what, slots, slotsPerFlow, waitingPerFlow = 0, waitMsMax = WAIT_MS_MAX, weightOf = () => 1 } = options;
    this.#slots = slots;
    this.#slotsPerFlow = slotsPerFlow;
    this.#weightOf = weightOf;
    this.#what = what;
    this.#waitingPerFlow = waitingPerFlow;
    this.#waitMsMax = waitMsMax;
    this.#waitingMax = options.waitingMax ?? FLOWS_WORTH * waitingPerFlow;
    this.#queue = createFairQueue<Waiting>({ quantum: options.quantum ?? 1, costOf: ({ cost }) => cost, weightOf });
  }

  async run<Result>(flow: FlowKey, task: (depth: number) => Promise<Result>, input: TaskOptions = {}): Promise<Result> {
    input.signal?.throwIfAborted();
    // A slot that is free while others wait is one that they are not to have: each of them is at its bound.
    const isFree = this.#runningAll < this.#slots && this.#runningOf(flow) < this.#slotsPerFlow;
    const depth = isFree ? this.#begin(flow) : await this.#turn(flow, input);
    try {
      return await task(depth);
    } finally {
      this.#end(flow);
    }
  }

  stats(): ReturnType<FairGate["stats"]> {
    return {
      running: this.#runningAll,
      waiting: this.#queue.size(),
      flows: this.#activeFlows().size,
      refused: this.#refused,
    };
  }

  #runningOf(flow: FlowKey): number {
    return this.#running.get(flow) ?? 0;
  }

  #activeFlows(): Set<FlowKey> {
    return new Set([...this.#running.keys(), ...this.#queue.flows()]);
  }

  #activeWeight(): number {
    let sum = 0;
    for (const flow of this.#activeFlows()) sum += this.#weightOf(flow);
    return sum;
  }

  #begin(flow: FlowKey): number {
    const depth = this.#runningOf(flow);
    this.#running.set(flow, depth + 1);
    this.#runningAll += 1;
    return depth;
  }

  #end(flow: FlowKey): void {
    const left = this.#runningOf(flow) - 1;
    if (left > 0) this.#running.set(flow, left);
    else this.#running.delete(flow);
    this.#runningAll -= 1;
    this.#dispatch();
  }

  #dispatch(): void {
    while (this.#runningAll < this.#slots && this.#queue.size() > 0) {
      const slotOfWeight = this.#slots / this.#activeWeight();
      const isBelowShare = (flow: FlowKey) =>
        this.#runningOf(flow) < Math.max(1, Math.floor(slotOfWeight * this.#weightOf(flow)));
      const isBelowBound = (flow: FlowKey) => this.#runningOf(flow) < this.#slotsPerFlow;
      const next =
        this.#queue.next((flow) => isBelowBound(flow) && isBelowShare(flow)) ?? this.#queue.next(isBelowBound);
      if (next === undefined) return;
      next.start();
    }
  }

  #refusalOf(flow: FlowKey): HeadwaterError {
    this.#refused += 1;
    return this.#runningOf(flow) + this.#queue.size(flow) > 0 ? overShare(this.#what) : allTaken(this.#what);
  }

  /** @throws HeadwaterError when there is no space in the queue. */
  #freeSpace(flow: FlowKey): void {
    const own = this.#queue.size(flow);
    if (own >= this.#waitingPerFlow) throw this.#refusalOf(flow);
    if (this.#queue.size() < this.#waitingMax) return;
    if (this.#queue.longest() <= own + 1) throw this.#refusalOf(flow);
    const dropped = this.#queue.removeFromLongest();
    dropped?.item.refuse(this.#refusalOf(dropped.flow));
  }

  /** Resolves to the depth when it is the flow's turn. */
  #turn(flow: FlowKey, { signal, cost = 1 }: TaskOptions): Promise<number> {
    this.#freeSpace(flow);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const leave = (errorOf: () => unknown) => {
      if (this.#queue.remove(flow, entry)) entry.refuse(errorOf());
    };
    const onAbort = () => leave(() => signal?.reason);
    const timer = setTimeout(() => leave(() => this.#refusalOf(flow)), this.#waitMsMax);
    const complete = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const entry: Waiting = {
      flow,
      cost,
      start: () => {
        complete();
        resolve(this.#begin(flow));
      },
      refuse: (error) => {
        complete();
        reject(error);
      },
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#queue.add(flow, entry);
    return promise;
  }
}
