import { readFileSync } from "node:fs";
import { listenForKeyChanges } from "@headwater/accounts/accounts/keyChanges";
import { recordLastUse } from "@headwater/accounts/accounts/lastUse";
import { findUsableApiKey, findUsableApiKeys } from "@headwater/accounts/accounts/usableApiKey";
import { recordCalls } from "@headwater/api/accountLog/recordCalls";
import { recordRefusals } from "@headwater/api/accountLog/recordRefusals";
import { operationsOfTargets } from "@headwater/automation/dataJobs/acceptMade";
import { createMapper } from "@headwater/automation/dataJobs/createMapper";
import { createWitnessRounds } from "@headwater/guard/clickHouseWitness/witnessRounds";
import { createGuardRounds } from "@headwater/guard/consistency/guardRounds";
import { createKeyCache, httpOptionsOf, listenAddressOf } from "@headwater/http";
import { frameSchemas } from "@headwater/intake/operations/jsonSchema";
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
import { createHeartbeat } from "@headwater/postgres/processes/heartbeat";
import { ensureErasureSecret } from "@headwater/records/erasures/erasureSecret";
import { reportEnds } from "@headwater/sandbox";
import {
  createCodec,
  createFrameProducer,
  createLogReader,
  createLogSamples,
  createTopicAdmin,
  kafkaAccessOf,
  registerInBackground,
} from "@headwater/topics";
import { readConfig } from "./config.ts";
import { guardKeys } from "./guardedKeys.ts";
import { createHealth } from "./health.ts";
import { createServiceServer } from "./serviceServer.ts";
import { createShares } from "./shares.ts";
import { createStores } from "./stores.ts";

const KAFKA_TIMEOUT_MS = 2_000;
const DRAIN_MS = 5_000;
/** Checks of storages at a time: one that is silent takes 5 s. They start when they are needed. */
const STORAGE_PROCESSES = 4;
/** Bodies that are mapped at a time; one process is free for whoever comes. */
const MAPPING_PROCESSES = 3;

const config = readConfig(process.env);
const { applicationName, logger, metrics, clock, tracing, lifecycle, start } = createProcess({
  name: "service",
  config,
});
const kafka = kafkaAccessOf(config);
const flows = createFlowContext();
const shares = createShares();
watchGates(metrics, shares);

const stores = createStores({
  config,
  applicationName,
  clock,
  logger,
  kafka: { ...kafka, timeoutMs: KAFKA_TIMEOUT_MS },
  flows,
  shares,
});
const { guard, postgres, clickHouse } = stores;
const topics = createTopicAdmin({ ...kafka, clientId: applicationName, timeoutMs: KAFKA_TIMEOUT_MS, logger });
const codec = createCodec({
  registryUrl: config.SCHEMA_REGISTRY_URL,
  schemas: frameSchemas(Object.values(operationsOfTargets)),
  logger,
});
const producer = createFrameProducer({ ...kafka, clientId: applicationName, codec, logger });
const outbound = createOutbound({ allow: config.HEADWATER_OUTBOUND_ALLOW });
const transportOutbound = createOutbound({ allow: config.HEADWATER_PRIVATE_TRANSPORTS });
const operators = createOperatorsOutbound();
const highWatermarks = (topic: string) => topics.watermarks(topic);
const log = createLogReader({ ...kafka, clientId: applicationName, timeoutMs: KAFKA_TIMEOUT_MS, logger });
const onEnded = reportEnds({ metrics, logger });
const renders = createRenderer({ onEnded: onEnded("content") });
const storages = createStorageSandbox({ processes: STORAGE_PROCESSES, onEnded: onEnded("storages") });
const mapper = createMapper({ processes: MAPPING_PROCESSES, onEnded: onEnded("mappings") });
const keys = createKeyCache({
  find: (hash) => findUsableApiKey(stores.keyPostgres, hash),
  findMany: (hashes) => findUsableApiKeys(stores.keyPostgres, hashes),
  logger,
});
const calls = recordCalls({ session: postgres, api: "v2", clock, logger, metrics });
const refusals = recordRefusals({ session: postgres, clock, logger, metrics });
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
  mapper,
  trackingUrl: config.HEADWATER_TRACKING_URL,
  canMail: config.HEADWATER_SMTP_URL !== undefined,
  flows,
  waits: shares.waits,
  onRefusal: (refused) => {
    calls.count({ ...refused, operation: refused.route.operationId });
    refusals.note(refused);
  },
  tracing: tracing.enabled,
});

// Parts stop in reverse: the server first, so that what it still answers can be read; then the stores.
lifecycle.use("postgres", { start: () => ensureErasureSecret(postgres, logger), stop: () => postgres.close() });
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
lifecycle.use("refused calls", refusals);
lifecycle.use("last use", recordLastUse({ session: postgres, usedSince: (ms) => keys.usedSince(ms), logger }));
lifecycle.use("postgres of keys", { stop: () => stores.keyPostgres.close() });
lifecycle.use("store guard", createGuardRounds({ guard, postgresUrl: config.POSTGRES_URL, applicationName, logger }));
lifecycle.use("clickhouse", { stop: () => stores.closeClickHouse() });
lifecycle.use("clickhouse witness", createWitnessRounds({ witness: stores.witness, metrics, logger }));
lifecycle.use("outbound", { stop: () => outbound.close() });
lifecycle.use("outbound of files", { stop: () => operators.close() });
lifecycle.use("outbound of transports", { stop: () => transportOutbound.close() });
lifecycle.use("connections to storages", { stop: () => storages.close() });
lifecycle.use("renders and mappings", { stop: () => Promise.all([renders.close(), mapper.close()]) });
lifecycle.use("kafka", { stop: () => Promise.all([topics.close(), log.close()]) });
// Without the registry writes of activities and of data jobs get 503, and everything else goes on.
lifecycle.use("codec", registerInBackground(codec, lifecycle.fatal));
lifecycle.use("producer", { start: () => producer.start(), stop: async () => void (await producer.drain(DRAIN_MS)) });
lifecycle.use("http", {
  start: () => server.start(listenAddressOf(config)),
  stop: () => server.stop(),
});
const checks = createHealth({ ...stores.checked, highWatermarks });
lifecycle.use("heartbeat", createHeartbeat({ session: postgres, name: "service", checks, logger }));
await start(checks);
