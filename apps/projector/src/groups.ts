import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { kafkaGroupOf, PROJECTOR_GROUPS, type ProjectorGroup, topicsReadBy } from "@headwater/contracts";
import type { ClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import type { StoreGuard } from "@headwater/guard/consistency/storeGuard";
import { createAccountingHandler } from "@headwater/intake/accounting/accountingHandler";
import { createStoredCounts } from "@headwater/intake/accounting/logCounts";
import { createStoredProducts } from "@headwater/intake/products/productStore";
import { createProductsHandler } from "@headwater/intake/products/productsHandler";
import { createActivitiesSink } from "@headwater/intake/sink/activitiesSink";
import { createHistorySink } from "@headwater/intake/sink/historySink";
import type { Sink } from "@headwater/intake/sink/sink";
import { createSinkHandler } from "@headwater/intake/sink/sinkHandler";
import { createStoredRanges } from "@headwater/intake/sink/storedRanges";
import type { AccountCache } from "@headwater/intake/state/accountCache";
import { createPostgresStateStore } from "@headwater/intake/state/postgresStateStore";
import { createStateHandler } from "@headwater/intake/state/stateHandler";
import type { Process } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import {
  type Codec,
  createStreamConsumer,
  type KafkaAccess,
  type StreamConsumer,
  type StreamConsumerOptions,
  type StreamHandler,
} from "@headwater/topics";
import type { ProjectorConfig } from "./config.ts";
import type { ProjectorMetrics } from "./projectorMetrics.ts";

const MIB = 1024 * 1024;
/** A batch is a transaction of some twenty statements, whatever it holds: while one follows the other, each takes what came in 50 to 100 ms. */
const STATE_TUNING = {
  batchBytesMax: MIB,
  fetchIntervalMs: 20,
  lingerMs: 100,
  lingerTimesBatch: 2,
  lingerBytes: MIB / 4,
} as const;
/** Partitions share their claims and inserts, and can do so only when none waits for a slot. */
const SINK_TUNING = {
  batchBytesMax: 2 * MIB,
  lingerBytes: MIB,
  partitionsConcurrently: 32,
  fetchIntervalMs: 50,
} as const;
/** ClickHouse's cost is by the insert: a group writes a fifth of the time at most, so that what is alone is there at once. */
const SINK_LINGER_TIMES = 4;
/** A product is written once for all that a batch says of it. */
const PRODUCTS_TUNING = {
  batchBytesMax: 2 * MIB,
  lingerMs: 250,
  fetchIntervalMs: 250,
  lingerBytes: MIB,
  partitionsConcurrently: 2,
} as const;
/** Few large batches: it must not take connections and commits from the other groups. */
const ACCOUNTING_TUNING = {
  batchBytesMax: 8 * MIB,
  lingerMs: 250,
  fetchIntervalMs: 250,
  lingerBytes: 4 * MIB,
  partitionsConcurrently: 2,
} as const;

export interface GroupPorts extends Pick<Process, "applicationName" | "logger" | "clock" | "lifecycle"> {
  readonly config: ProjectorConfig;
  readonly kafka: KafkaAccess;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly codec: Codec;
  readonly accounts: AccountCache;
  readonly guard: StoreGuard;
  readonly witness: ClickHouseWitness;
  readonly counts: ProjectorMetrics;
  /** Called after every commit of `state`. */
  readonly onStored: () => void;
}

export interface GroupConsumer {
  readonly group: ProjectorGroup;
  readonly consumer: StreamConsumer;
}

/** Creates a consumer for each group that this process runs. */
export function createConsumers(ports: GroupPorts): readonly GroupConsumer[] {
  const { config, kafka, applicationName, guard, logger, lifecycle, counts } = ports;
  const groups = groupsOf(ports);
  return PROJECTOR_GROUPS.filter((group) => config.HEADWATER_PROJECTOR_PARTS.includes(group)).map((group) => ({
    group,
    consumer: createStreamConsumer({
      ...kafka,
      clientId: `${applicationName}-${group}`,
      groupId: kafkaGroupOf(group),
      topics: topicsReadBy(group),
      handler: groups[group].handler,
      store: () => guard.storeId(),
      logger,
      onFatal: (error) => lifecycle.fatal(error),
      sessionTimeoutMs: config.HEADWATER_SESSION_TIMEOUT_MS,
      observer: counts.observerOf(group),
      ...groups[group].tuning,
    }),
  }));
}

interface Group {
  readonly handler: StreamHandler;
  readonly tuning: Pick<
    StreamConsumerOptions,
    "batchBytesMax" | "lingerMs" | "lingerBytes" | "lingerTimesBatch" | "partitionsConcurrently" | "fetchIntervalMs"
  >;
}

/** Returns what the projector runs: a handler and its tuning for each group of the topology. */
function groupsOf(ports: GroupPorts): Readonly<Record<ProjectorGroup, Group>> {
  const { config, postgres, codec, accounts, clock } = ports;
  const sinkTuning = { ...SINK_TUNING, lingerMs: config.HEADWATER_SINK_LINGER_MS, lingerTimesBatch: SINK_LINGER_TIMES };
  return {
    state: {
      handler: stateHandler(ports),
      tuning: { ...STATE_TUNING, partitionsConcurrently: config.HEADWATER_PARTITIONS_CONCURRENTLY },
    },
    activities: { handler: sinkHandler(ports, activitiesSink(ports)), tuning: sinkTuning },
    history: { handler: sinkHandler(ports, createHistorySink({ codec, postgres })), tuning: sinkTuning },
    products: { handler: productsHandler(ports), tuning: PRODUCTS_TUNING },
    accounting: {
      handler: createAccountingHandler({ counts: createStoredCounts(postgres), codec, accounts, clock }),
      tuning: ACCOUNTING_TUNING,
    },
  };
}

function stateHandler({ config, postgres, codec, accounts, clock, logger, counts, onStored }: GroupPorts) {
  return createStateHandler({
    state: createPostgresStateStore(postgres, clock, undefined, readReceiptSecret(config.HEADWATER_SECRET_FILE)),
    codec,
    accounts,
    logger,
    clock,
    parkedForMs: config.HEADWATER_PARKED_FOR_MS,
    outcomes: counts.outcomes,
    onUncompared: (triggers) => counts.uncompared.inc(triggers),
    onQuarantined: (records) => counts.quarantined.inc({ group: "state" }, records),
    onStored,
  });
}

function readReceiptSecret(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readFileSync(file, "utf8").trim();
}

function productsHandler({ postgres, codec, clock, logger, counts }: GroupPorts) {
  return createProductsHandler({
    products: createStoredProducts(postgres),
    codec,
    clock,
    logger,
    onQuarantined: (records) => counts.quarantined.inc({ group: "products" }, records),
  });
}

function activitiesSink({ postgres, clickhouse, codec, clock, accounts }: GroupPorts) {
  return createActivitiesSink({
    postgres,
    clickhouse,
    codec,
    clock,
    account: async (id) => {
      const account = await accounts.byId(id);
      return account && { number: account.number, timezone: account.settings.timezone };
    },
  });
}

function sinkHandler(ports: GroupPorts, sink: Sink): StreamHandler {
  const { guard, postgres, clickhouse, clock, logger, counts, witness } = ports;
  // New ranges change what ClickHouse shows of a loss: it is checked before.
  const readable: Sink["readable"] = async (batch) => {
    guard.expectHeard("clickhouse");
    return sink.readable(batch);
  };
  return createSinkHandler({
    sink: { ...sink, readable },
    ranges: createStoredRanges(postgres, sink.group),
    clickhouse,
    clock,
    logger,
    newToken: randomUUID,
    trials: clickhouse,
    onQuarantined: (records) => counts.quarantined.inc({ group: sink.group }, records),
    witness,
    onInserted: (rows) => counts.inserted.inc({ group: sink.group }, rows),
  });
}
