import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { importSchemas } from "@headwater/analytics/imports/importSchemas";
import { createClickHouseBulk } from "@headwater/clickhouse/bulk";
import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { createClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import { bulkWithWitness, withWitness } from "@headwater/guard/clickHouseWitness/withWitness";
import { createWitnessRounds } from "@headwater/guard/clickHouseWitness/witnessRounds";
import { createWitnessStores } from "@headwater/guard/clickHouseWitness/witnessStores";
import { createGuardRounds } from "@headwater/guard/consistency/guardRounds";
import { createStoreGuard } from "@headwater/guard/consistency/storeGuard";
import { createStorageSandbox } from "@headwater/jobs/destinations/sandbox/storageSandbox";
import { openFileStore } from "@headwater/jobs/files/filesEnvironment";
import { createJobQueue } from "@headwater/jobs/queue/jobQueue";
import { createJobWorker } from "@headwater/jobs/queue/jobWorker";
import { runJob } from "@headwater/jobs/runner/runJob";
import { createSourceReader } from "@headwater/jobs/sources/createSourceReader";
import {
  createDependencyChecks,
  createOperatorsOutbound,
  createOutbound,
  createProcess,
  createSealer,
  loadConfig,
  readSettingsKeys,
} from "@headwater/kernel";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { createStoreClock, readStoreClock } from "@headwater/postgres/connection/storeClock";
import { SLOTS_OF_OTHERS } from "@headwater/postgres/migrate/queueNames";
import { createHeartbeat } from "@headwater/postgres/processes/heartbeat";
import { ensureErasureSecret, readErasureSecretFile } from "@headwater/records/erasures/erasureSecret";
import { reportEnds } from "@headwater/sandbox";
import {
  createCodec,
  createFrameProducer,
  createLogWitness,
  createTopicAdmin,
  kafkaAccessOf,
  registerInBackground,
} from "@headwater/topics";
import { workerConfig } from "./config.ts";
import { createJobKinds } from "./jobs/index.ts";
import { createUpkeep } from "./upkeep.ts";
import { createWorkerMetrics } from "./workerMetrics.ts";

const STATEMENT_TIMEOUT_MS = 30_000;
const KAFKA_TIMEOUT_MS = 5_000;
const DRAIN_MS = 5_000;

const config = loadConfig(workerConfig, process.env);
const { applicationName, logger, metrics, clock, lifecycle, start } = createProcess({ name: "worker", config });
const counts = createWorkerMetrics(metrics);
const kafka = kafkaAccessOf(config);
const jobsConcurrently = config.HEADWATER_JOBS_CONCURRENTLY;
const slots = jobsConcurrently + SLOTS_OF_OTHERS;

const clickhouse = createClickHouse({ url: config.CLICKHOUSE_URL, requestTimeoutMs: STATEMENT_TIMEOUT_MS, logger });
const bulk = createClickHouseBulk({ url: config.CLICKHOUSE_URL, logger, connectionsMax: 2 * slots });
const guard = createStoreGuard({
  log: createLogWitness({ ...kafka, clientId: applicationName, logger }),
  clickhouse,
  needed: [],
  logger,
  onLost: (error) => lifecycle.fatal(error),
});
const postgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: 4 * slots + 2,
  applicationName,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  erasureSecret: readErasureSecretFile(config.HEADWATER_ERASURE_SECRET_FILE),
  admission: guard,
  logger,
});
const witness = createClickHouseWitness({
  stores: createWitnessStores(postgres, clickhouse),
  establishes: false,
  clock,
  logger,
});
const operators = createOperatorsOutbound();
const files = await openFileStore(config, operators);
const outbound = createOutbound({ allow: config.HEADWATER_OUTBOUND_ALLOW });
const onEnded = reportEnds({ metrics, logger });
// Each job may read a file, and one process is free for whoever comes. A job may leave an upload that is not removed yet.
const sources = createSourceReader({ processes: jobsConcurrently + 1, onEnded: onEnded("sources") });
const storages = createStorageSandbox({ processes: 2 * jobsConcurrently + 1, onEnded: onEnded("storages") });
const jobs = createJobKinds({ processes: jobsConcurrently + 1, onEnded: onEnded("mappings") });
const settingsKeys = readSettingsKeys(config.HEADWATER_SETTINGS_KEY_FILE);
const sealer = settingsKeys && createSealer(settingsKeys);
const codec = createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL, schemas: importSchemas(), logger });
const producer = createFrameProducer({ ...kafka, clientId: applicationName, codec, logger });
const topics = createTopicAdmin({ ...kafka, clientId: applicationName, timeoutMs: KAFKA_TIMEOUT_MS, logger });
// Senders find what is due by Postgres' clock: whatever is made due here follows from it, too.
const storeClock = createStoreClock(() => readStoreClock(postgres), clock);
const runner = {
  postgres,
  highWatermarks: (topic: string) => topics.watermarks(topic),
  producer,
  clickhouse: withWitness(clickhouse, witness),
  bulk: bulkWithWitness(bulk, witness),
  files,
  sources,
  outbound,
  storages,
  sealer,
  sinkSettleMs: 1_000 * config.HEADWATER_SINK_SETTLE_SECONDS,
  clock: storeClock,
  logger,
  queue: createJobQueue({ jobsConcurrently }),
  kinds: jobs.kinds,
  account: (number: number) => findAccountByNumber(postgres, number),
  onEnd: (job: string, status: string) => counts.ended.inc({ job, status }),
};
const worker = createJobWorker({
  url: config.POSTGRES_URL,
  applicationName: `${applicationName}-queue`,
  admission: guard,
  jobsConcurrently,
  run: async (jobId, signal) => {
    counts.running.inc();
    await runJob(runner, jobId, signal).finally(() => counts.running.dec());
  },
  logger,
});

lifecycle.use("stores", {
  start: () => ensureErasureSecret(postgres, logger),
  async stop() {
    await postgres.close();
    await bulk.close();
    await clickhouse.close();
  },
});
lifecycle.use("outbound", { stop: () => Promise.all([outbound.close(), operators.close()]) });
lifecycle.use("sources and mappings", { stop: () => Promise.all([sources.close(), jobs.close()]) });
lifecycle.use("connections to storages", { stop: () => storages.close() });
lifecycle.use("store guard", createGuardRounds({ guard, postgresUrl: config.POSTGRES_URL, applicationName, logger }));
lifecycle.use("clickhouse witness", createWitnessRounds({ witness, metrics, logger }));
// Without the registry or Kafka imports wait, and every other job goes on.
lifecycle.use("codec", registerInBackground(codec, lifecycle.fatal));
lifecycle.use("topics", { stop: () => topics.close() });
lifecycle.use("producer", { start: () => producer.start(), stop: async () => void (await producer.drain(DRAIN_MS)) });
for (const [name, part] of Object.entries(createUpkeep({ runner, clock, config, settingsKeys })))
  lifecycle.use(name, part);
lifecycle.use("queue", { ...worker, stopTimeoutMs: 20_000 });
const dependencies = createDependencyChecks({
  postgres: { ask: () => postgres.ping(), isRequired: true, whenAway: "unavailable: no job runs" },
  clickhouse: { ask: () => runner.clickhouse.ping(), whenAway: "unavailable: exports, counts and erasures wait" },
  kafka: { ask: () => topics.watermarks("intake.bulk"), whenAway: "unavailable: imports and exports wait" },
});
const checks = async () => ({ queue: { ok: worker.isRunning() }, ...(await dependencies()) });
lifecycle.use("heartbeat", createHeartbeat({ session: postgres, name: "worker", checks, logger }));
await start(checks);
