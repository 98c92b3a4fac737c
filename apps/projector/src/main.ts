import { randomUUID } from "node:crypto";
import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { changeFrames, GROUP_NAMES, type GroupName, kafkaGroupOf, topicsReadBy } from "@headwater/contracts";
import { createClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import { withWitness } from "@headwater/guard/clickHouseWitness/withWitness";
import { createWitnessRounds } from "@headwater/guard/clickHouseWitness/witnessRounds";
import { createWitnessStores } from "@headwater/guard/clickHouseWitness/witnessStores";
import { createGuardRounds } from "@headwater/guard/consistency/guardRounds";
import { createStoreGuard } from "@headwater/guard/consistency/storeGuard";
import { createAccountingHandler } from "@headwater/intake/accounting/accountingHandler";
import { createStoredCounts } from "@headwater/intake/accounting/logCounts";
import { frameSchema, subjectOf, toJsonSchema } from "@headwater/intake/operations/jsonSchema";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { createStoredParked } from "@headwater/intake/parked/parkedRecords";
import { createRedriver } from "@headwater/intake/parked/redriver";
import { createStoredProducts } from "@headwater/intake/products/productStore";
import { createProductsHandler } from "@headwater/intake/products/productsHandler";
import { createStoredOutbox } from "@headwater/intake/relay/outbox";
import { createRelay } from "@headwater/intake/relay/relay";
import { createRelayEncoding } from "@headwater/intake/relay/relayEncoding";
import { watchRelayHolds } from "@headwater/intake/relay/relayHolds";
import { createActivitiesSink } from "@headwater/intake/sink/activitiesSink";
import { createHistorySink } from "@headwater/intake/sink/historySink";
import type { Sink } from "@headwater/intake/sink/sink";
import { createSinkHandler } from "@headwater/intake/sink/sinkHandler";
import { createStoredRanges } from "@headwater/intake/sink/storedRanges";
import { createAccountCache } from "@headwater/intake/state/accountCache";
import { createPostgresStateStore } from "@headwater/intake/state/postgresStateStore";
import { createStateHandler } from "@headwater/intake/state/stateHandler";
import { createHousekeeping, createProcess, loadConfig } from "@headwater/kernel";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { createSoleHolder } from "@headwater/postgres/connection/soleHolder";
import { createHeartbeat } from "@headwater/postgres/processes/heartbeat";
import { createHashIndexes } from "@headwater/records/contacts/hashIndexes";
import { readErasureSecretFile, settleErasureSecret } from "@headwater/records/erasures/erasureSecret";
import {
  createCodec,
  createFrameProducer,
  createLogWitness,
  createStreamConsumer,
  kafkaAccessOf,
  type StreamConsumer,
  type StreamConsumerOptions,
  type StreamHandler,
} from "@headwater/topics";
import { type ProjectorPart, projectorConfig } from "./config.ts";
import { createHealth } from "./health.ts";
import { deleteOldRows } from "./housekeeping.ts";
import { createProjectorMetrics } from "./projectorMetrics.ts";

const STATEMENT_TIMEOUT_MS = 30_000;
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

const config = loadConfig(projectorConfig, process.env);
const { applicationName, logger, metrics, clock, lifecycle, start } = createProcess({ name: "projector", config });
const kafka = kafkaAccessOf(config);
const concurrently = config.HEADWATER_PARTITIONS_CONCURRENTLY;
const sinkLinger = { lingerMs: config.HEADWATER_SINK_LINGER_MS, lingerTimesBatch: SINK_LINGER_TIMES };

const clickhouse = createClickHouse({ url: config.CLICKHOUSE_URL, requestTimeoutMs: STATEMENT_TIMEOUT_MS, logger });
const guard = createStoreGuard({
  log: createLogWitness({ ...kafka, clientId: applicationName, logger }),
  clickhouse,
  needed: ["kafka"],
  logger,
  onLost: (error) => lifecycle.fatal(error),
});
const postgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: 3 * concurrently + 4,
  applicationName,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  keyLookupsOnly: true,
  erasureSecret: readErasureSecretFile(config.HEADWATER_ERASURE_SECRET_FILE),
  admission: guard,
  logger,
});
const witness = createClickHouseWitness({
  stores: createWitnessStores(postgres, clickhouse),
  establishes: true,
  clock,
  logger,
});
const accounts = createAccountCache(postgres, clock);
const codec = createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL, schemas: schemas(), logger });
const producer = createFrameProducer({ ...kafka, clientId: applicationName, codec, logger });
const relayLock = createSoleHolder({
  url: config.POSTGRES_URL,
  applicationName: `${applicationName}-relay`,
  duty: "relay",
  admission: guard,
  logger,
});
const relay = createRelay({
  outbox: createStoredOutbox(postgres),
  producer,
  encode: createRelayEncoding(codec),
  logger,
  clock,
  onQuarantined: (changes) => counts.quarantined.inc({ group: "relay" }, changes),
  mayRelay: () => relayLock.isHolder(),
});
const redriver = createRedriver({
  postgres,
  parked: createStoredParked(postgres),
  producer,
  codec,
  account: (number) => accounts.byNumber(number),
  clock,
  logger,
});
const counts = createProjectorMetrics(metrics, () => consumers);

const activitiesSink = createActivitiesSink({
  postgres,
  clickhouse,
  codec,
  clock,
  account: async (id) => {
    const account = await accounts.byId(id);
    return account && { number: account.number, timezone: account.settings.timezone };
  },
});
const state = createStateHandler({
  state: createPostgresStateStore(postgres, clock),
  codec,
  accounts,
  logger,
  clock,
  parkedForMs: config.HEADWATER_PARKED_FOR_MS,
  outcomes: counts.outcomes,
  onUncompared: (triggers) => counts.uncompared.inc(triggers),
  onQuarantined: (records) => counts.quarantined.inc({ group: "state" }, records),
  onStored: () => relay.wake(),
});
const accounting = createAccountingHandler({ counts: createStoredCounts(postgres), codec, accounts, clock });
const products = createProductsHandler({
  products: createStoredProducts(postgres),
  codec,
  clock,
  logger,
  onQuarantined: (records) => counts.quarantined.inc({ group: "products" }, records),
});
const runs = (part: ProjectorPart) => config.HEADWATER_PROJECTOR_PARTS.includes(part);
/** One of each row of the topology. */
const members: Readonly<Record<GroupName, GroupMember>> = {
  state: { handler: state, tuning: { ...STATE_TUNING, partitionsConcurrently: concurrently } },
  activities: { handler: sinkHandler(activitiesSink), tuning: { ...SINK_TUNING, ...sinkLinger } },
  history: {
    handler: sinkHandler(createHistorySink({ codec, postgres })),
    tuning: { ...SINK_TUNING, ...sinkLinger },
  },
  products: { handler: products, tuning: PRODUCTS_TUNING },
  accounting: { handler: accounting, tuning: ACCOUNTING_TUNING },
};
const consumers = GROUP_NAMES.filter(runs).map((group) => ({ group, consumer: consume(group, members[group]) }));

lifecycle.use("stores", {
  start: () => settleErasureSecret(postgres, logger),
  async stop() {
    await postgres.close();
    await clickhouse.close();
  },
});
lifecycle.use("store guard", createGuardRounds({ guard, postgresUrl: config.POSTGRES_URL, applicationName, logger }));
lifecycle.use("clickhouse witness", createWitnessRounds({ witness, metrics, logger }));
lifecycle.use("schemas", { start: () => codec.ready() });
lifecycle.use("producer", { start: () => producer.start(), stop: async () => void (await producer.drain(5_000)) });
if (runs("relay")) {
  lifecycle.use("relay lock", relayLock);
  lifecycle.use("relay", { start: () => relay.start(), stop: () => relay.stop() });
  const isRelaying = () => relayLock.isHolder();
  lifecycle.use("relay holds", watchRelayHolds({ session: postgres, metrics, logger, isRelaying }));
}
if (runs("redriver")) lifecycle.use("redriver", { start: () => redriver.start(), stop: () => redriver.stop() });
if (runs("state")) {
  const indexes = createHashIndexes({
    postgres,
    url: config.POSTGRES_URL,
    applicationName: `${applicationName}-indexes`,
    admission: guard,
    logger,
  });
  lifecycle.use("hash indexes", indexes);
}
const deleteOld = (nowMs: number) => deleteOldRows(postgres, nowMs);
lifecycle.use("housekeeping", createHousekeeping({ what: "old rows", deleteOld, clock, logger }));
for (const { group, consumer } of consumers) {
  lifecycle.use(`consumer ${group}`, { start: () => consumer.start(), stop: () => consumer.stop(10_000) });
}
const checks = createHealth({ codec, consumers, postgres, clickhouse: withWitness(clickhouse, witness) });
const heartbeat = {
  session: postgres,
  name: "projector",
  parts: config.HEADWATER_PROJECTOR_PARTS,
  checks,
  logger,
} as const;
lifecycle.use("heartbeat", createHeartbeat(heartbeat));
await start(checks);

function schemas() {
  const intake = loggedOperations.map((operation) => [subjectOf(operation), frameSchema(operation)] as const);
  const changes = Object.entries(changeFrames).map(([topic, frame]) => [topic, toJsonSchema(frame)] as const);
  return Object.fromEntries([...intake, ...changes]);
}

function sinkHandler(sink: Sink): StreamHandler {
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

interface GroupMember {
  readonly handler: StreamHandler;
  readonly tuning: Pick<
    StreamConsumerOptions,
    "batchBytesMax" | "lingerMs" | "lingerBytes" | "lingerTimesBatch" | "partitionsConcurrently" | "fetchIntervalMs"
  >;
}

function consume(group: GroupName, { handler, tuning }: GroupMember): StreamConsumer {
  return createStreamConsumer({
    ...kafka,
    clientId: `${applicationName}-${group}`,
    groupId: kafkaGroupOf(group),
    topics: topicsReadBy(group),
    handler,
    store: () => guard.storeId(),
    logger,
    onFatal: (error) => lifecycle.fatal(error),
    sessionTimeoutMs: config.HEADWATER_SESSION_TIMEOUT_MS,
    observer: counts.observerOf(group),
    ...tuning,
  });
}
