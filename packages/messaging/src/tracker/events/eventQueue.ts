import { createSlotShares, createWorkLoop, type Logger, type Metrics } from "@headwater/kernel";
import type { FrameProducer } from "@headwater/topics";
import { appendOf, type MessageEvent, messageEventNames } from "./messageEvent.ts";
import { robotReasons } from "./robots.ts";

/** Label of events that a person caused. */
const NO_ROBOT = "none";

/** Events that wait in memory for the log. */
export interface EventQueue {
  /** Never waits. An event of an account that has as many waiting as it leaves free is counted as lost. */
  add(events: readonly MessageEvent[]): void;
  start(): void;
  /** Writes what waits, once; what the log does not take is counted as lost. */
  stop(): Promise<void>;
}

export interface EventQueueOptions {
  readonly producer: Pick<FrameProducer, "append">;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default 200,000, of which one account alone has half. */
  readonly eventsMax?: number;
}

const EVENTS_MAX = 200_000;
const BATCH_EVENTS = 1_000;
const IDLE_MS = 20;

/** Keeps redirects going while the log is away: events wait in bounded memory and are written in order. */
export function createEventQueue({ producer, logger, metrics, ...options }: EventQueueOptions): EventQueue {
  const { eventsMax = EVENTS_MAX } = options;
  const shares = createSlotShares<string>(eventsMax);
  let waiting: MessageEvent[] = [];
  const lost = metrics.counter({
    name: "headwater_tracker_events_lost_total",
    help: "Events that did not fit or could not be written.",
  });
  const written = metrics.counter({
    name: "headwater_tracker_events_total",
    help: "Events in the log.",
    labels: ["name", "robot"],
    values: { name: messageEventNames, robot: [NO_ROBOT, ...robotReasons] },
  });
  metrics.gauge({
    name: "headwater_tracker_events_waiting",
    help: "Events that wait for the log.",
    collect: (gauge) => gauge.set(waiting.length),
  });
  const write = async () => {
    const batch = waiting.slice(0, BATCH_EVENTS);
    await writeAll(batch, producer);
    waiting = waiting.slice(batch.length);
    for (const { name, robot, token } of batch) {
      shares.give(token.names.accountId);
      written.inc({ name, robot: robot ?? NO_ROBOT });
    }
    return waiting.length > 0;
  };
  const loop = createWorkLoop({
    work: write,
    idleMs: IDLE_MS,
    minMs: 100,
    maxMs: 5_000,
    onRetry: (error) => logger.warn({ err: error, waiting: waiting.length }, "dependency unavailable, retrying"),
  });
  return {
    add(events) {
      for (const event of events) {
        const { accountId } = event.token.names;
        if (shares.admits(accountId)) {
          shares.take(accountId);
          waiting.push(event);
        } else lost.inc();
      }
    },
    start: loop.start,
    async stop() {
      await loop.stop();
      try {
        while (await write());
      } catch (error) {
        lost.inc(waiting.length);
        logger.error({ err: error, lost: waiting.length }, "events could not be written before the stop");
      }
    },
  };
}

/** A failed batch is written again whole, under the same record ids and `UID`s. */
async function writeAll(events: readonly MessageEvent[], producer: Pick<FrameProducer, "append">): Promise<void> {
  const byAccount = Map.groupBy(events, ({ token }) => token.names.accountId);
  await Promise.all(
    [...byAccount.values()].map(async (own) => {
      const append = appendOf(own);
      if (append !== undefined) await producer.append(append);
    }),
  );
}
