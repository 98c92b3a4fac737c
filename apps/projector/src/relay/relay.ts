import { type Logger, retryForever } from "@headwater/kernel";
import {
  deleteOutbox,
  type OutboxPlace,
  type OutboxRow,
  type Postgres,
  type PublishedOffsets,
  readOutbox,
  readRelayProgress,
  setRelayProgress,
} from "@headwater/stores";
import { type FrameProducer, topicNamed } from "@headwater/topics";

/** Rows of at most 384 Ki characters each: well below what the producer holds in flight. */
const ROWS_MAX = 32;
const IDLE_MS = 25;
const RETRY = { minMs: 50, maxMs: 5_000 } as const;

export interface RelayOptions {
  readonly postgres: Postgres;
  readonly producer: Pick<FrameProducer, "publish">;
  /** Puts the registry's schema id before the JSON text of a change frame. */
  readonly encode: (topic: string, payload: string) => Buffer;
  readonly logger: Logger;
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
  const run = async () => {
    while (!stopping.signal.aborted) {
      const count = await retryForever(() => relayOnce(options), {
        signal: stopping.signal,
        ...RETRY,
        onRetry: ({ error, attempt }) =>
          options.logger.warn({ err: error, attempt }, "the outbox cannot be relayed yet"),
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
 * @returns how many rows were published. Two relays at once publish the same rows and one of them marks them: no harm,
 * and no lock is held while Kafka is waited for.
 */
export async function relayOnce({ postgres, producer, encode }: RelayOptions): Promise<number> {
  const progress = await readRelayProgress(postgres);
  const rows = await readOutbox(postgres, progress, ROWS_MAX);
  const last = rows[rows.length - 1];
  if (last === undefined) return 0;
  const published = await producer.publish(rows.map((row) => toMessage(encode, row)));
  const to = { xid: last.xid, position: last.position, offsets: advance(progress.offsets, published) };
  await postgres.transaction(async (transaction) => {
    if (await setRelayProgress(transaction, progress, to)) await deleteOutbox(transaction, to);
  });
  return rows.length;
}

function toMessage(encode: RelayOptions["encode"], row: OutboxRow & OutboxPlace) {
  const { topic, sourcePartition, payload } = row;
  const partition = sourcePartition % topicNamed(topic).partitions;
  return { topic, partition, key: String(sourcePartition), value: encode(topic, payload) };
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
