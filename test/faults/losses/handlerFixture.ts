import { randomUUID } from "node:crypto";
import { createAccount } from "@headwater/accounts/accounts/accounts";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { defaultSettings } from "@headwater/contracts";
import { createActivitiesSink } from "@headwater/intake/sink/activitiesSink";
import { createSinkHandler } from "@headwater/intake/sink/sinkHandler";
import type { SinkHandlerOptions } from "@headwater/intake/sink/sinkOptions";
import { createStoredRanges } from "@headwater/intake/sink/storedRanges";
import { createPostgresStateStore } from "@headwater/intake/state/postgresStateStore";
import { createStateHandler } from "@headwater/intake/state/stateHandler";
import { createMetrics, manualClock, newAccountId, systemClock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { BatchContext, Codec, LogFrame, StreamBatch, StreamHandler } from "@headwater/topics";
import { freshClickHouse, freshPostgres, logger } from "../../contract/stores/fresh.ts";

export const at = { topic: "intake.records", partition: 0 } as const;
export const key = { group: "activities", generation: 1, ...at } as const;

/** The projector's own handlers over stores of their own, without Kafka: the test says what comes in which order. */
export interface Handlers {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly clock: ReturnType<typeof manualClock>;
  readonly accountId: string;
  /** A new process that folds into Postgres. */
  state(): StreamHandler;
  /** A new process that writes activities into ClickHouse. */
  activities(options?: Partial<SinkHandlerOptions>): StreamHandler;
  /** Two activities in each frame. */
  frames(from: number, to: number): LogFrame[];
  drop(): Promise<void>;
}

export async function freshHandlers(): Promise<Handlers> {
  const [freshState, freshActivities] = await Promise.all([freshPostgres(), freshClickHouse()]);
  const [postgres, clickhouse] = [freshState.store, freshActivities.store];
  const account = await createAccount(postgres, { id: newAccountId(), name: "losses", settings: defaultSettings });
  const clock = manualClock(Date.UTC(2026, 0, 1));
  const parkedForMs = [5_000, 60_000];
  const outcomes = createMetrics({ processMetrics: false }).counter({
    name: "outcomes",
    help: "by outcome",
    labels: ["operation", "outcome"],
  });
  const accounts = {
    byId: async (id: string) => (id === account.id ? account : undefined),
    catchUp: async () => undefined,
  };
  const facts = async () => ({ number: account.number, timezone: "UTC" });
  const sink = createActivitiesSink({ postgres, clickhouse, codec, clock: systemClock, account: facts });
  const newToken = randomUUID;
  return {
    postgres,
    clickhouse,
    clock,
    accountId: account.id,
    state: () =>
      createStateHandler({
        state: createPostgresStateStore(postgres, clock),
        codec,
        accounts,
        logger,
        clock,
        parkedForMs,
        outcomes,
        onUncompared: () => undefined,
        onStored: () => undefined,
      }),
    activities: (options = {}) =>
      createSinkHandler({
        sink,
        ranges: createStoredRanges(postgres, sink.group),
        clickhouse,
        clock,
        logger,
        newToken,
        ...options,
      }),
    frames: (from, to) => Array.from({ length: to - from }, (_none, index) => frame(account.id, from + index)),
    async drop() {
      await freshState.drop();
      await freshActivities.drop();
    },
  };
}

function frame(account: string, offset: number): LogFrame {
  const contact = {
    identifiers: { email: `p${offset}@example.com` },
    attributes: { tier: "gold" },
    canBeCreated: true,
  };
  const event = { name: "browse", time: "2026-01-01T00:00:00Z" };
  const records = [0, 1].map((position) => ({ id: `r${offset}:0:${position}`, receivedAt: 0, contact, event }));
  return frameOf(account, offset, "createContactactivities", records);
}

/** One frame of an operation's records, at its position in the log. */
export function frameOf(account: string, offset: number, operation: string, records: readonly object[]): LogFrame {
  const value = { subject: `intake.${operation}`, value: { account, records } };
  const timeMs = Date.UTC(2026, 0, 1) + offset;
  return { offset, timeMs, key: undefined, value: Buffer.from(JSON.stringify(value)), headers: {} };
}

/** Values say their subject themselves. */
const codec: Pick<Codec, "decode" | "peekSubject"> = {
  peekSubject: () => undefined,
  decode(value) {
    const parsed: { subject: string; value: unknown } = JSON.parse(value.toString("utf8"));
    return { kind: "decoded", ...parsed };
  },
};

export const context: BatchContext = {
  heartbeat: () => undefined,
  isStale: () => false,
  signal: new AbortController().signal,
};

export function batchOf(frames: readonly LogFrame[]): StreamBatch {
  return { ...at, frames, highWatermark: (frames.at(-1)?.offset ?? 0) + 1 };
}
