import { createFairGate, type FairGateOptions, type FlowKey, SYSTEM_FLOW } from "@headwater/kernel";

/** Connections to Postgres: those of reads, writes and look-ups together, so that none waits for another's. */
export const POOL_MAX = 30;
export const LOOKUP_CONNECTIONS = 6;

/** An account alone has nearly all of a gate; what it cannot have is there for the next one at once. */
const bounds = {
  reads: { what: "reads", slots: 8, slotsPerFlow: 6, waitingPerFlow: 200 },
  writes: { what: "writes", slots: 16, slotsPerFlow: 13, waitingPerFlow: 200 },
  queries: { what: "counts and searches", slots: 8, slotsPerFlow: 4, waitingPerFlow: 32, waitMsMax: 20_000 },
  waits: { what: "waits", slots: 4_096, slotsPerFlow: 256 },
  /** A flow is a contact or an order of an account. */
  turns: { what: "writes of the same contact or order", slots: 4_096, slotsPerFlow: 1, waitingPerFlow: 200 },
} satisfies Record<string, FairGateOptions>;

/** Shared checks serve every account, so they go before any single one's work. */
const SYSTEM_WEIGHT = 4;
const weightOf = (flow: FlowKey) => (flow === SYSTEM_FLOW ? SYSTEM_WEIGHT : 1);

/** The gates where accounts meet in this process. */
export function createShares() {
  return {
    reads: createFairGate({ ...bounds.reads, weightOf }),
    writes: createFairGate({ ...bounds.writes, weightOf }),
    queries: createFairGate({ ...bounds.queries, weightOf }),
    waits: createFairGate({ ...bounds.waits, weightOf }),
    turns: createFairGate(bounds.turns),
  };
}
