import { createCachedCheck } from "@headwater/api/consistency/cachedCheck";
import type { Clock, Gauge, Logger, Metrics } from "@headwater/kernel";
import type { AccountingRange } from "./accounting.ts";
import { type AccountingLine, isBalanced } from "./balance.ts";

const OUTCOMES = ["accepted", "applied", "skipped", "rejected", "parked", "lost", "pending"] as const;
const HOUR_MS = 3_600_000;
const HOURS = 24;
/** It reads the hours of all accounts: once for all scrapes of this time. */
const CACHED_MS = 30_000;
/** Limit of a scrape's wait. A collector of the metrics of all apps gives each two seconds. */
const WAIT_MS = 1_000;

export interface AccountingMetricsOptions {
  readonly metrics: Metrics;
  readonly read: (range: AccountingRange) => Promise<readonly AccountingLine[]>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The last day's accounting of all accounts, those of nobody included, from the stores: no crash can make it forget. */
export function createAccountingMetrics({ metrics, read, clock, logger }: AccountingMetricsOptions): void {
  const readDay = () => {
    const to = Math.floor(clock.nowMs() / HOUR_MS) + 1;
    return read({ from: to - HOURS, to });
  };
  const check = createCachedCheck({
    read: readDay,
    keptMs: CACHED_MS,
    waitMs: WAIT_MS,
    what: "accounting",
    clock,
    logger,
  });
  metrics.gauge({
    name: "headwater_accounting_records",
    help: "Records of the last 24 hours by outcome; accepted is the sum of the others.",
    labels: ["operation", "outcome"],
    collect: async (gauge) => showSums(gauge, (await check()) ?? []),
  });
  metrics.gauge({
    name: "headwater_accounting_unbalanced",
    help: "Account hours of the last 24 in which accepted differs from the sum of all outcomes. Should be 0.",
    collect: async (gauge) => {
      const lines = await check();
      gauge.reset();
      if (lines !== undefined) gauge.set(lines.filter((line) => !isBalanced(line)).length);
    },
  });
}

function showSums(gauge: Gauge<"operation" | "outcome">, lines: readonly AccountingLine[]): void {
  gauge.reset();
  for (const line of lines) {
    for (const outcome of OUTCOMES) gauge.inc({ operation: line.operation, outcome }, line[outcome]);
  }
}
