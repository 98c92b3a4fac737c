import { readFileSync } from "node:fs";
import { listenForKeyChanges } from "@headwater/accounts/accounts/keyChanges";
import { recordLastUse } from "@headwater/accounts/accounts/lastUse";
import { findUsableApiKey, findUsableApiKeys } from "@headwater/accounts/accounts/usableApiKey";
import { activitySchemas } from "@headwater/analytics/activities/activitySchemas";
import { recordCalls } from "@headwater/api/accountLog/recordCalls";
import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { createClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import { withWitness } from "@headwater/guard/clickHouseWitness/withWitness";
import { createWitnessRounds } from "@headwater/guard/clickHouseWitness/witnessRounds";
import { createWitnessStores } from "@headwater/guard/clickHouseWitness/witnessStores";
import { createGuardRounds } from "@headwater/guard/consistency/guardRounds";
import { createStoreGuard } from "@headwater/guard/consistency/storeGuard";
import { createKeyCache, httpOptionsOf, listenAddressOf } from "@headwater/http";
import { createStorageSandbox } from "@headwater/jobs/destinations/sandbox/storageSandbox";
import { openFileStore } from "@headwater/jobs/files/filesEnvironment";
import {
  createFlowContext,
  createOperatorsOutbound,
  createOutbound,
  createProcess,
  readSealer,
  watchGates,
} from "@headwater/kernel";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { createHeartbeat } from "@headwater/postgres/processes/heartbeat";
import { readErasureSecretFile, settleErasureSecret } from "@headwater/records/erasures/erasureSecret";
import { reportEnds } from "@headwater/sandbox";
import {
  createCodec,
  createFrameProducer,
  createLogReader,
  createLogSamples,
  createLogWitness,
  createTopicAdmin,
  kafkaAccessOf,
  registerInBackground,
} from "@headwater/topics";
import { readConfig } from "./config.ts";
import { guardKeys } from "./guardedKeys.ts";
import { createHealth } from "./health.ts";
import { createServiceServer } from "./serviceServer.ts";
import { createShares, LOOKUP_CONNECTIONS, POOL_MAX } from "./shares.ts";

const QUERY_TIMEOUT_MS = 30_000;
const WITNESS_TIMEOUT_MS = 10_000;
const WITNESS_CONNECTIONS = 2;
const KAFKA_TIMEOUT_MS = 2_000;
const DRAIN_MS = 5_000;
/** Twice as many as are asked for keys that nobody knows yet: those in use are refreshed by the others. */
const KEY_CONNECTIONS_MAX = 4;
/** Checks of storages at a time: one that is silent takes 5 s. They start when they are needed. */
const STORAGE_PROCESSES = 4;

const config = readConfig(process.env);
const { applicationName, logger, metrics, clock, tracing, lifecycle, start } = createProcess({
  name: "service",
  config,
});
const kafka = kafkaAccessOf(config);
const flows = createFlowContext();
const shares = createShares();
watchGates(metrics, shares);

const sharedClickHouse = createClickHouse({
  url: config.CLICKHOUSE_URL,
  requestTimeoutMs: QUERY_TIMEOUT_MS,
  shares: { flows, queries: shares.queries },
  logger,
});
// Of its own: whether an answer counts is found out for all accounts at once, and behind none of their queries.
const witnessClickHouse = createClickHouse({
  url: config.CLICKHOUSE_URL,
  requestTimeoutMs: WITNESS_TIMEOUT_MS,
  connectionsMax: WITNESS_CONNECTIONS,
  logger,
});
const guard = createStoreGuard({
  log: createLogWitness({
    ...kafka,
    clientId: applicationName,
    timeoutMs: KAFKA_TIMEOUT_MS,
    logger,
  }),
  clickhouse: witnessClickHouse,
  // Reads go on without either of them.
  needed: [],
  logger,
  onLost: () => undefined,
});
const postgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: POOL_MAX,
  applicationName,
  statementTimeoutMs: 10_000,
  erasureSecret: readErasureSecretFile(config.HEADWATER_ERASURE_SECRET_FILE),
  shares: {
    flows,
    reads: shares.reads,
    writes: shares.writes,
    turns: shares.turns,
    lookupConnections: LOOKUP_CONNECTIONS,
  },
  admission: guard,
  logger,
});
// Of its own: what anybody can make up waits for no connection that reads need, and the other way.
const keyPostgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: KEY_CONNECTIONS_MAX,
  applicationName: `${applicationName}-keys`,
  statementTimeoutMs: 1_000,
  admission: guard,
  logger,
});
const witnessPostgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: 1,
  applicationName: `${applicationName}-witness`,
  statementTimeoutMs: WITNESS_TIMEOUT_MS,
  admission: guard,
  logger,
});
const witness = createClickHouseWitness({
  stores: createWitnessStores(witnessPostgres, witnessClickHouse),
  establishes: false,
  clock,
  logger,
});
const clickHouse = withWitness(sharedClickHouse, witness);
const topics = createTopicAdmin({
  ...kafka,
  clientId: applicationName,
  timeoutMs: KAFKA_TIMEOUT_MS,
  logger,
});
const codec = createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL, schemas: activitySchemas(), logger });
const producer = createFrameProducer({ ...kafka, clientId: applicationName, codec, logger });
const outbound = createOutbound({ allow: config.HEADWATER_OUTBOUND_ALLOW });
const transportOutbound = createOutbound({ allow: config.HEADWATER_PRIVATE_TRANSPORTS });
const operators = createOperatorsOutbound();
const highWatermarks = (topic: string) => topics.watermarks(topic);
const log = createLogReader({ ...kafka, clientId: applicationName, timeoutMs: KAFKA_TIMEOUT_MS, logger });
const onEnded = reportEnds({ metrics, logger });
const renders = createRenderer({ onEnded: onEnded("content") });
const storages = createStorageSandbox({ processes: STORAGE_PROCESSES, onEnded: onEnded("storages") });
const keys = createKeyCache({
  find: (hash) => findUsableApiKey(keyPostgres, hash),
  findMany: (hashes) => findUsableApiKeys(keyPostgres, hashes),
  logger,
});
const calls = recordCalls({ session: postgres, api: "v2", clock, logger, metrics });
const server = createServiceServer({
  logger,
  metrics,
  ...httpOptionsOf(config),
  postgres,
  clickHouse,
  files: await openFileStore(config, operators),
  highWatermarks,
  sampleLog: createLogSamples(log),
  producer,
  keys: guardKeys(keys, guard),
  secret: readFileSync(config.HEADWATER_SECRET_FILE, "utf8").trim(),
  sealer: readSealer(config.HEADWATER_SETTINGS_KEY_FILE),
  outbound,
  transportOutbound,
  renders,
  storages,
  trackingUrl: config.HEADWATER_TRACKING_URL,
  canMail: config.HEADWATER_SMTP_URL !== undefined,
  flows,
  waits: shares.waits,
  onRefusal: ({ route, ...answered }) => calls.count({ ...answered, operation: route.operationId }),
  tracing: tracing.enabled,
});

// Parts stop in reverse: the server first, so that what it still answers can be read; then the stores.
lifecycle.use("postgres", { start: () => settleErasureSecret(postgres, logger), stop: () => postgres.close() });
lifecycle.use(
  "key changes",
  listenForKeyChanges({
    url: config.POSTGRES_URL,
    applicationName,
    onChange: (hash) => keys.changed(hash),
    admission: guard,
    logger,
  }),
);
lifecycle.use("counts of calls", calls);
lifecycle.use("last use", recordLastUse({ session: postgres, usedSince: (ms) => keys.usedSince(ms), logger }));
lifecycle.use("postgres of keys", { stop: () => keyPostgres.close() });
lifecycle.use("store guard", createGuardRounds({ guard, postgresUrl: config.POSTGRES_URL, applicationName, logger }));
lifecycle.use("clickhouse", {
  async stop() {
    await clickHouse.close();
    await witnessClickHouse.close();
    await witnessPostgres.close();
  },
});
lifecycle.use("clickhouse witness", createWitnessRounds({ witness, metrics, logger }));
lifecycle.use("outbound", { stop: () => outbound.close() });
lifecycle.use("outbound of files", { stop: () => operators.close() });
lifecycle.use("outbound of transports", { stop: () => transportOutbound.close() });
lifecycle.use("renders", { stop: () => renders.close() });
lifecycle.use("connections to storages", { stop: () => storages.close() });
lifecycle.use("kafka", { stop: () => Promise.all([topics.close(), log.close()]) });
// Without the registry writes of activities get 503, and everything else goes on.
lifecycle.use("codec", registerInBackground(codec, lifecycle.fatal));
lifecycle.use("producer", { start: () => producer.start(), stop: async () => void (await producer.drain(DRAIN_MS)) });
lifecycle.use("http", {
  start: () => server.start(listenAddressOf(config)),
  stop: () => server.stop(),
});
// By connections that no call uses: used-up pools are no reason to be taken out of service.
const checks = createHealth({
  postgres: witnessPostgres,
  clickHouse: withWitness(witnessClickHouse, witness),
  highWatermarks,
});
lifecycle.use("heartbeat", createHeartbeat({ session: postgres, name: "service", checks, logger }));
await start(checks);
