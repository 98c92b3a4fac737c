import { randomUUID } from "node:crypto";
import type { ClickHouse } from "@headwater/stores";
import { deleteOutbox, readOutbox, readRelayProgress, setRelayProgress } from "@headwater/stores";
import type { Codec, LogFrame, StreamHandler } from "@headwater/topics";
import { createActivitiesSink } from "../../../apps/projector/src/sink/activitiesSink.ts";
import { createHistorySink } from "../../../apps/projector/src/sink/historySink.ts";
import type { Sink } from "../../../apps/projector/src/sink/sink.ts";
import { createSinkHandler, type SinkHandlerOptions } from "../../../apps/projector/src/sink/sinkHandler.ts";
import { logger } from "../storesFresh.ts";
import { codec, context, type MemoryStream } from "./memoryStream.ts";

const TOPIC = "intake.records";
const OUTBOX_ROWS_MAX = 10_000;

/** The projector's sinks over a log in memory; nothing runs until it is told to. */
export interface MemorySinks {
  /** A new process writes the activities of partition 0 up to where `state` is. */
  activities(options?: Partial<SinkHandlerOptions>): Promise<void>;
  /** What the outbox holds is published, one message a row. */
  publish(): Promise<void>;
  /** A new process writes what was published, from where the last one stopped. */
  history(): Promise<void>;
}

export function createMemorySinks(
  { postgres, clock, account, log }: MemoryStream,
  clickhouse: ClickHouse,
): MemorySinks {
  const published = new Map<string, LogFrame[]>();
  const handler = (sink: Sink, options: Partial<SinkHandlerOptions> = {}) =>
    createSinkHandler({ sink, postgres, clickhouse, clock, logger, newToken: randomUUID, ...options });
  const changes: Pick<Codec, "decode"> = {
    decode: (value) => ({ kind: "decoded", subject: "changes", value: JSON.parse(value.toString("utf8")) }),
  };
  return {
    async activities(options) {
      const facts = async () => ({ number: account.number, timezone: "UTC" });
      const sink = createActivitiesSink({ postgres, clickhouse, codec, clock, account: facts });
      await readAll(handler(sink, options), { topic: TOPIC, frames: log.get(0) ?? [] });
    },
    async publish() {
      const progress = await readRelayProgress(postgres);
      const rows = await readOutbox(postgres, progress, OUTBOX_ROWS_MAX);
      for (const { topic, payload } of rows) {
        const frames = published.get(topic) ?? [];
        published.set(topic, frames);
        const value = Buffer.from(payload);
        frames.push({ offset: frames.length, timeMs: clock.nowMs(), key: undefined, value, headers: {} });
      }
      const last = rows.at(-1);
      if (last === undefined) return;
      const offsets = Object.fromEntries([...published].map(([topic, { length }]) => [topic, { 0: length }]));
      await setRelayProgress(postgres, progress, { ...last, offsets });
      await deleteOutbox(postgres, last);
    },
    async history() {
      for (const [topic, frames] of published) {
        if (topic.startsWith("changes.")) {
          await readAll(handler(createHistorySink({ codec: changes, postgres })), { topic, frames });
        }
      }
    },
  };
}

async function readAll(
  handler: StreamHandler,
  { topic, frames }: { readonly topic: string; readonly frames: readonly LogFrame[] },
): Promise<void> {
  const at = { topic, partition: 0 };
  let { fromOffset } = await handler.start({ ...at, low: 0, high: frames.length });
  while (fromOffset < frames.length) {
    const verdict = await handler.batch(
      { ...at, frames: frames.slice(fromOffset), highWatermark: frames.length },
      context,
    );
    if (verdict.kind === "wait") throw new Error("nothing is waited for here");
    fromOffset = verdict.offset;
  }
}
