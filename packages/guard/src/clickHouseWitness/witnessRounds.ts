import { createWorkLoop, type Logger, type Metrics, type Part } from "@headwater/kernel";
import type { ClickHouseWitness } from "./clickHouseWitness.ts";

export interface WitnessRoundsOptions {
  readonly witness: ClickHouseWitness;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const IDLE_MS = 2_000;
const RETRY_MAX_MS = 10_000;

/** Checks ClickHouse in a process that reads nothing from it otherwise, so that metrics and health know of a loss. */
export function createWitnessRounds({ witness, metrics, logger }: WitnessRoundsOptions): Part {
  metrics.gauge({
    name: "headwater_store_went_back",
    help: "1 while a store is refused because it lacks what it has confirmed.",
    labels: ["store"],
    collect: (gauge) => gauge.set({ store: "clickhouse" }, witness.refusal() === undefined ? 0 : 1),
  });
  return createWorkLoop({
    work: async () => {
      await witness.expectIntact().catch((error: unknown) => {
        // The witness itself reported a loss.
        if (error !== witness.refusal()) throw error;
      });
      return false;
    },
    idleMs: IDLE_MS,
    minMs: IDLE_MS,
    maxMs: RETRY_MAX_MS,
    // A Postgres that is refused is its own guard's report.
    isRetriable: () => true,
    onRetry: ({ error }) => logger.warn({ err: error }, "checking ClickHouse against Postgres failed, retrying"),
  });
}
