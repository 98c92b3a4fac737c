import type { Clock, Logger, Metrics, Part } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { addCallCounts, type CalledApi } from "./callCounts.ts";
import { createCallTally, type RecordedCall } from "./callTally.ts";

export interface RecordCallsOptions {
  readonly session: Session;
  readonly api: CalledApi;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const MINUTE_MS = 60_000;
/** One statement; few processes ever have as many at a time. */
const COUNTS_AT_A_TIME = 5_000;

/**
 * Counts calls in memory by minute and key and writes the counts when the minute is over, and at the end: no call waits for Postgres, and
 * one row a minute is written however many come. What cannot be written waits; a killed process loses those of its last minute.
 */
export function recordCalls(options: RecordCallsOptions): Part & { count(call: RecordedCall): void } {
  const { session, api, clock, logger, metrics } = options;
  const dropped = metrics.counter({
    name: "headwater_call_counts_dropped_total",
    help: "Calls missing from the account log: too many keys called in a minute, or Postgres was away for long.",
  });
  const tally = createCallTally({ api, clock, onDrop: () => dropped.inc() });
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(beforeMinute: number): Promise<void> {
    for (let rows = tally.take(beforeMinute, COUNTS_AT_A_TIME); rows.length > 0; ) {
      try {
        await addCallCounts(session, rows);
      } catch (error) {
        logger.warn({ err: error }, "writing the counts of calls failed, retrying");
        tally.giveBack(rows);
        return;
      }
      rows = tally.take(beforeMinute, COUNTS_AT_A_TIME);
    }
  }
  function writeNext(beforeMinute: number): Promise<void> {
    writing = writing.then(() => write(beforeMinute));
    return writing;
  }
  function waitForMinute(): void {
    const leftMs = MINUTE_MS - (clock.nowMs() % MINUTE_MS);
    timer = setTimeout(() => {
      void writeNext(Math.floor(clock.nowMs() / MINUTE_MS));
      waitForMinute();
    }, leftMs).unref();
  }
  return {
    count: tally.count,
    start: waitForMinute,
    stop: async () => {
      clearTimeout(timer);
      await writeNext(Number.POSITIVE_INFINITY);
    },
  };
}
