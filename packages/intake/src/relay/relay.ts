import type { RejectRow } from "@headwater/contracts";
import { DEAD_LETTERS_TOPIC } from "@headwater/contracts";
import { type Clock, type Logger, retryForever } from "@headwater/kernel";
import type { OutboxRow, PublishedOffsets } from "@headwater/postgres/outbox/outbox";
import type { FrameProducer } from "@headwater/topics";
import { changeDeadLetter } from "../quarantine/changeDeadLetter.ts";
import { toRejectRow } from "../quarantine/quarantine.ts";
import { reportPoison } from "../quarantine/report.ts";
import type { Outbox } from "./outbox.ts";
import { type Encode, type PoisonChange, toMessages } from "./toMessages.ts";

const ROWS_MAX = 32;
/** Well below what the producer holds in flight, at three bytes a character. */
const CHARACTERS_MAX = 12 * 1024 * 1024;
const RELAY_GROUP = "relay";
const IDLE_MS = 25;
const RETRY = { minMs: 50, maxMs: 5_000 } as const;

export interface RelayOptions {
  readonly outbox: Outbox;
  readonly producer: Pick<FrameProducer, "publish">;
  /** Puts the registry's schema id before the JSON text of a change frame. */
  readonly encode: Encode;
  readonly logger: Logger;
  /** Default the system's. */
  readonly clock?: Clock;
  readonly onQuarantined?: (records: number) => void;
  /** Returns whether this process is the one that relays; others stand by. Default: always. */
  readonly mayRelay?: () => boolean;
}

export interface Relay {
  start(): void;
  /** Something was written to the outbox: look at once. */
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Publishes the outbox in order of commit. What is published and not yet marked when the process dies is published
 * again; its rows carry versions, so that repeats are harmless.
 */
export function createRelay(options: RelayOptions): Relay {
  const stopping = new AbortController();
  let wakeUp: (() => void) | undefined;
  let running: Promise<void> = Promise.resolve();
  const idle = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, IDLE_MS);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const { mayRelay = () => true } = options;
  const run = async () => {
    while (!stopping.signal.aborted) {
      if (!mayRelay()) {
        await idle();
        continue;
      }
      const count = await retryForever(() => relayOnce(options), {
        signal: stopping.signal,
        ...RETRY,
        onRetry: ({ error, attempt }) => options.logger.warn({ err: error, attempt }, "outbox relay failed, retrying"),
      });
      if (count === 0) await idle();
    }
  };
  return {
    start() {
      running = run().catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error;
      });
    },
    wake: () => wakeUp?.(),
    async stop() {
      stopping.abort();
      wakeUp?.();
      await running;
    },
  };
}

/**
 * @returns how many rows were dealt with. Two relays at once, as for an instant when one takes over, publish the same rows and one of
 * them marks them: no harm, and no row is locked while Kafka is waited for. What can never be published is quarantined by the one that marks.
 */
export async function relayOnce(options: RelayOptions): Promise<number> {
  const { outbox, producer, encode } = options;
  const { progress, rows: next } = await outbox.next(ROWS_MAX);
  const rows = firstOf(next);
  const last = rows[rows.length - 1];
  if (last === undefined) return 0;
  const { messages, poison } = toMessages(encode, rows);
  const published = messages.length === 0 ? [] : await producer.publish(messages);
  const to = { xid: last.xid, position: last.position, offsets: advance(progress.offsets, published) };
  const nowMs = options.clock?.nowMs() ?? Date.now();
  const isMarked = await outbox.mark(progress, to, toDeadLetters(poison, nowMs));
  if (isMarked) report(options, poison);
  return rows.length;
}

/** The first rows that are together not too large to wait for Kafka; one at least. */
function firstOf<Row extends OutboxRow>(rows: readonly Row[]): readonly Row[] {
  let characters = 0;
  const end = rows.findIndex(({ payload }, index) => {
    characters += payload.length;
    return index > 0 && characters > CHARACTERS_MAX;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** A dead letter that cannot be published is in Postgres already; of a change event a dead letter is made. */
function toDeadLetters(poison: readonly PoisonChange[], nowMs: number): RejectRow[] {
  return poison
    .filter(({ row }) => row.topic !== DEAD_LETTERS_TOPIC)
    .map(({ row, place, value, error }) => {
      const key = { group: RELAY_GROUP, topic: row.topic, partition: row.sourcePartition };
      const deadLetter = changeDeadLetter(key, { offset: row.position, place, timeMs: nowMs, value });
      return toRejectRow(key, { offset: row.position, place, letter: deadLetter, error }, nowMs);
    });
}

function report(options: RelayOptions, poison: readonly PoisonChange[]): void {
  for (const { row, place, value, error } of poison) {
    const key = { group: RELAY_GROUP, topic: row.topic, partition: row.sourcePartition };
    const letter = changeDeadLetter(key, { offset: row.position, place, timeMs: 0, value });
    reportPoison(options, key, [{ offset: row.position, place, letter, error }]);
  }
}

function advance(
  offsets: PublishedOffsets,
  published: readonly { readonly topic: string; readonly partition: number; readonly offset: number }[],
): PublishedOffsets {
  const result: Record<string, Record<string, number>> = {};
  for (const [topic, partitions] of Object.entries(offsets)) result[topic] = { ...partitions };
  for (const { topic, partition, offset } of published) {
    const partitions = result[topic] ?? {};
    // In order, so the last one counts: a log that lost its tail gives lower offsets again.
    partitions[partition] = offset + 1;
    result[topic] = partitions;
  }
  return result;
}
