import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { changeFrames } from "@headwater/contracts";
import { createClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import { withWitness } from "@headwater/guard/clickHouseWitness/withWitness";
import { createWitnessRounds } from "@headwater/guard/clickHouseWitness/witnessRounds";
import { createWitnessStores } from "@headwater/guard/clickHouseWitness/witnessStores";
import { createGuardRounds } from "@headwater/guard/consistency/guardRounds";
import { createStoreGuard } from "@headwater/guard/consistency/storeGuard";
import { frameSchemas, toJsonSchema } from "@headwater/intake/operations/jsonSchema";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { createStoredParked } from "@headwater/intake/parked/parkedRecords";
import { createRedriver } from "@headwater/intake/parked/redriver";
import { createStoredOutbox } from "@headwater/intake/relay/outbox";
import { createRelay } from "@headwater/intake/relay/relay";
import { createRelayEncoding } from "@headwater/intake/relay/relayEncoding";
import { watchRelayHolds } from "@headwater/intake/relay/relayHolds";
import { createAccountCache } from "@headwater/intake/state/accountCache";
import { createHousekeeping, createProcess, loadConfig } from "@headwater/kernel";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { createSoleHolder } from "@headwater/postgres/connection/soleHolder";
import { createHeartbeat } from "@headwater/postgres/processes/heartbeat";
import { createHashIndexes } from "@headwater/records/contacts/hashIndexes";
import { ensureErasureSecret, readErasureSecretFile } from "@headwater/records/erasures/erasureSecret";
import { createCodec, createFrameProducer, createLogWitness, kafkaAccessOf } from "@headwater/topics";
import { type ProjectorPart, projectorConfig } from "./config.ts";
import { createConsumers } from "./groups.ts";
import { createHealth } from "./health.ts";
import { deleteOldRows } from "./housekeeping.ts";
import { createProjectorMetrics } from "./projectorMetrics.ts";

const STATEMENT_TIMEOUT_MS = 30_000;

const config = loadConfig(projectorConfig, process.env);
const { applicationName, logger, metrics, clock, lifecycle, start } = createProcess({ name: "projector", config });
const kafka = kafkaAccessOf(config);

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
  poolMax: 3 * config.HEADWATER_PARTITIONS_CONCURRENTLY + 4,
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
const changeSchemas = Object.entries(changeFrames).map(([topic, frame]) => [topic, toJsonSchema(frame)] as const);
const schemas = { ...frameSchemas(loggedOperations), ...Object.fromEntries(changeSchemas) };
const codec = createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL, schemas, logger });
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
const runs = (part: ProjectorPart) => config.HEADWATER_PROJECTOR_PARTS.includes(part);
const consumers = createConsumers({
  config,
  ...{ applicationName, logger, clock, lifecycle },
  kafka,
  postgres,
  clickhouse,
  codec,
  accounts,
  guard,
  witness,
  counts,
  onStored: () => relay.wake(),
});

lifecycle.use("stores", {
  start: () => ensureErasureSecret(postgres, logger),
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
const parts = config.HEADWATER_PROJECTOR_PARTS;
lifecycle.use("heartbeat", createHeartbeat({ session: postgres, name: "projector", parts, checks, logger }));
await start(checks);
