import { randomUUID } from "node:crypto";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { createStoredProducts } from "@headwater/intake/products/productStore";
import { createProductsHandler } from "@headwater/intake/products/productsHandler";
import { createActivitiesSink } from "@headwater/intake/sink/activitiesSink";
import { createHistorySink } from "@headwater/intake/sink/historySink";
import type { Sink } from "@headwater/intake/sink/sink";
import { createSinkHandler } from "@headwater/intake/sink/sinkHandler";
import type { SinkHandlerOptions } from "@headwater/intake/sink/sinkOptions";
import { createStoredRanges } from "@headwater/intake/sink/storedRanges";
import { deleteOutbox, readOutbox, readRelayProgress, setRelayProgress } from "@headwater/postgres/outbox/outbox";
import type { Codec, LogFrame, StreamHandler } from "@headwater/topics";
import { vi } from "vitest";
import { logger } from "../../stores/fresh.ts";
import { codec, context, type MemoryStream } from "./memoryStream.ts";

const TOPIC = "intake.records";
const CHECKS_MAX = 20;
const OUTBOX_ROWS_MAX = 10_000;
const PUBLISHING = { timeout: 60_000, interval: 20 };

/** The projector's sinks over a log in memory; nothing runs until it is started. */
export interface MemorySinks {
  /** A new process writes the activities of all partitions up to where `state` is. */
  activities(options?: Partial<SinkHandlerOptions>): Promise<void>;
  /** Publishes the outbox, one message a row. */
  publish(): Promise<void>;
  /** Puts a message at the end of a change topic, as an operator's tool could. */
  put(topic: string, value: Buffer): void;
  /** A new process writes what was published, from where the last one stopped. */
  history(options?: Partial<SinkHandlerOptions>): Promise<void>;
  /** A new process makes products of what was published. */
  products(): Promise<void>;
}

export function createMemorySinks(
  { postgres, clock, account, log }: MemoryStream,
  clickhouse: ClickHouse,
): MemorySinks {
  const published = new Map<string, LogFrame[]>();
  const handler = (sink: Sink, options: Partial<SinkHandlerOptions> = {}) =>
    createSinkHandler({
      sink,
      ranges: createStoredRanges(postgres, sink.group),
      clickhouse,
      clock,
      logger,
      newToken: randomUUID,
      trials: clickhouse,
      ...options,
    });
  const changes: Pick<Codec, "decode"> = {
    decode(value) {
      const text = value.toString("utf8");
      if (!text.startsWith("{")) return { kind: "undecodable", reason: "nobody knows it" };
      return { kind: "decoded", subject: "changes", value: JSON.parse(text) };
    },
  };
  const put = (topic: string, value: Buffer) => {
    const frames = published.get(topic) ?? [];
    published.set(topic, frames);
    frames.push({ offset: frames.length, timeMs: clock.nowMs(), key: undefined, value, headers: {} });
  };
  const publishReady = async () => {
    const progress = await readRelayProgress(postgres);
    const rows = await readOutbox(postgres, progress, OUTBOX_ROWS_MAX);
    for (const { topic, payload } of rows) put(topic, Buffer.from(payload));
    const last = rows.at(-1);
    if (last === undefined) return;
    const offsets = Object.fromEntries([...published].map(([topic, { length }]) => [topic, { 0: length }]));
    await setRelayProgress(postgres, progress, { ...last, offsets });
    await deleteOutbox(postgres, progress, last);
  };
  return {
    put,
    async activities(options) {
      const facts = async () => ({ number: account.number, timezone: "UTC" });
      const sink = createActivitiesSink({ postgres, clickhouse, codec, clock, account: facts });
      for (const [partition, frames] of log) {
        await readAll(handler(sink, options), { topic: TOPIC, partition, frames });
      }
    },
    // A transaction of any database of the server holds back what was stored after it began.
    async publish() {
      await vi.waitUntil(async () => {
        await publishReady();
        return (await postgres.query({ text: "SELECT FROM outbox LIMIT 1" })).length === 0;
      }, PUBLISHING);
    },
    async history(options) {
      for (const [topic, frames] of published) {
        if (topic.startsWith("changes.")) {
          await readAll(handler(createHistorySink({ codec: changes, postgres }), options), { topic, frames });
        }
      }
    },
    async products() {
      for (const [topic, frames] of published) {
        if (topic !== "changes.orders" && topic !== "changes.carts") continue;
        await readAll(
          createProductsHandler({ products: createStoredProducts(postgres), codec: changes, clock, logger }),
          { topic, frames },
        );
      }
    },
  };
}

async function readAll(
  handler: StreamHandler,
  {
    topic,
    partition = 0,
    frames,
  }: { readonly topic: string; readonly partition?: number; readonly frames: readonly LogFrame[] },
): Promise<void> {
  const at = { topic, partition };
  let checks = 0;
  let { fromOffset } = await handler.start({ ...at, low: 0, high: frames.length });
  while (fromOffset < frames.length) {
    const verdict = await handler.batch(
      { ...at, frames: frames.slice(fromOffset), highWatermark: frames.length },
      context,
    );
    // Poison was quarantined: the range is written without it in the next check.
    checks += 1;
    if (verdict.kind !== "wait") fromOffset = verdict.offset;
    else if (checks > CHECKS_MAX) throw new Error("nothing is waited for here");
  }
}
