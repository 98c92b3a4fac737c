import type { HeadwaterError } from "../errors.ts";
import { createFairQueue, type FlowKey } from "./fairQueue.ts";
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
 * than its bound. No slot is idle while a flow within its bound waits. When all places to wait are taken, the flow with most of
 * them loses its newest, so nobody is refused for what another does.
 */
export function createFairGate(options: FairGateOptions): FairGate {
  const { what, slots, slotsPerFlow, waitingPerFlow = 0, waitMsMax = WAIT_MS_MAX, weightOf = () => 1 } = options;
  const waitingMax = options.waitingMax ?? FLOWS_WORTH * waitingPerFlow;
  const queue = createFairQueue<Waiting>({ quantum: options.quantum ?? 1, costOf: ({ cost }) => cost, weightOf });
  /** Tasks that run, by flow. */
  const running = new Map<FlowKey, number>();
  let runningAll = 0;
  let refused = 0;

  const runningOf = (flow: FlowKey) => running.get(flow) ?? 0;

  const activeFlows = () => new Set([...running.keys(), ...queue.flows()]);

  function activeWeight(): number {
    let sum = 0;
    for (const flow of activeFlows()) sum += weightOf(flow);
    return sum;
  }

  function begin(flow: FlowKey): number {
    const depth = runningOf(flow);
    running.set(flow, depth + 1);
    runningAll += 1;
    return depth;
  }

  function end(flow: FlowKey): void {
    const left = runningOf(flow) - 1;
    if (left > 0) running.set(flow, left);
    else running.delete(flow);
    runningAll -= 1;
    dispatch();
  }

  function dispatch(): void {
    while (runningAll < slots && queue.size() > 0) {
      const slotOfWeight = slots / activeWeight();
      const isBelowShare = (flow: FlowKey) => runningOf(flow) < Math.max(1, Math.floor(slotOfWeight * weightOf(flow)));
      const isBelowBound = (flow: FlowKey) => runningOf(flow) < slotsPerFlow;
      const next = queue.next((flow) => isBelowBound(flow) && isBelowShare(flow)) ?? queue.next(isBelowBound);
      if (next === undefined) return;
      next.start();
    }
  }

  function refusalOf(flow: FlowKey): HeadwaterError {
    refused += 1;
    return runningOf(flow) + queue.size(flow) > 0 ? overShare(what) : allTaken(what);
  }

  /** @throws HeadwaterError when there is no place to wait. */
  function makeRoom(flow: FlowKey): void {
    const own = queue.size(flow);
    if (own >= waitingPerFlow) throw refusalOf(flow);
    if (queue.size() < waitingMax) return;
    if (queue.longest() <= own + 1) throw refusalOf(flow);
    const dropped = queue.dropFromLongest();
    dropped?.item.refuse(refusalOf(dropped.flow));
  }

  /** Resolves to the depth when it is the flow's turn. */
  function turn(flow: FlowKey, { signal, cost = 1 }: TaskOptions): Promise<number> {
    makeRoom(flow);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const leave = (error: unknown) => {
      if (queue.remove(flow, entry)) entry.refuse(error);
    };
    const onAbort = () => leave(signal?.reason);
    const timer = setTimeout(() => leave(refusalOf(flow)), waitMsMax);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const entry: Waiting = {
      flow,
      cost,
      start: () => {
        settle();
        resolve(begin(flow));
      },
      refuse: (error) => {
        settle();
        reject(error);
      },
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    queue.add(flow, entry);
    return promise;
  }

  return {
    async run(flow, task, given = {}) {
      given.signal?.throwIfAborted();
      // A slot that is free while others wait is one that they are not to have: each of them is at its bound.
      const isFree = runningAll < slots && runningOf(flow) < slotsPerFlow;
      const depth = isFree ? begin(flow) : await turn(flow, given);
      try {
        return await task(depth);
      } finally {
        end(flow);
      }
    },
    stats: () => ({ running: runningAll, waiting: queue.size(), flows: activeFlows().size, refused }),
  };
}
