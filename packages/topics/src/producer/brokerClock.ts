import type { Clock, Logger } from "@headwater/kernel";
import type { ProducerObserver } from "./producerApi.ts";
import type { SendResult } from "./sendAnswer.ts";

/** Difference of clocks above which an alarm is raised. */
export const CLOCKS_APART_MS_MAX = 1_000;
/** Time between two alarms while the clocks stay apart. */
const ALARM_EVERY_MS = 60_000;

/** Watches the clock of the brokers by the times at which they appended what was sent. */
export interface BrokerClock {
  /** Begins a send. @returns the sink of its results. */
  begin(): (results: readonly SendResult[]) => void;
}

export interface BrokerClockOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer?: Pick<ProducerObserver, "brokerClock"> | undefined;
}

/**
 * Compares the brokers' clocks with this process's. An append lies between the send and its answer: what lies outside is a difference of
 * clocks, and a slow broker is none.
 */
export function createBrokerClock({ clock, logger, observer }: BrokerClockOptions): BrokerClock {
  let alarmedAtMs: number | undefined;

  function validate(differenceMs: number): void {
    observer?.brokerClock?.(differenceMs);
    if (Math.abs(differenceMs) <= CLOCKS_APART_MS_MAX) {
      if (alarmedAtMs !== undefined) logger.info({ differenceMs }, "the clocks of Kafka and this process agree again");
      alarmedAtMs = undefined;
    } else if (alarmedAtMs === undefined || clock.monotonicMs() - alarmedAtMs >= ALARM_EVERY_MS) {
      alarmedAtMs = clock.monotonicMs();
      logger.error({ differenceMs }, "the clocks of Kafka and this process differ by more than a second");
    }
  }

  return {
    begin() {
      const sentMs = clock.nowMs();
      return (results) => {
        const answeredMs = clock.nowMs();
        let greatest: number | undefined;
        for (const result of results) {
          if (result.kind !== "written" || result.timeMs === undefined) continue;
          const differenceMs = Math.max(0, result.timeMs - answeredMs) + Math.min(0, result.timeMs - sentMs);
          if (greatest === undefined || Math.abs(differenceMs) > Math.abs(greatest)) greatest = differenceMs;
        }
        if (greatest !== undefined) validate(greatest);
      };
    },
  };
}
