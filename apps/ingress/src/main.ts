import { readFileSync } from "node:fs";
import { createKeyCache, httpOptionsOf } from "@headwater/http";
import {
  createHousekeeping,
  createLifecycle,
  createLogger,
  createMetrics,
  type OperationsOptions,
  type Part,
  startOperations,
  startTracing,
  systemClock,
} from "@headwater/kernel";
import {
  accountsIn,
  createPostgres,
  deleteIdempotency,
  findUsableApiKey,
  findUsableApiKeys,
  listenForKeyChanges,
  recordLastUse,
} from "@headwater/stores";
import { createCodec, createFrameProducer, kafkaSecurityOf } from "@headwater/topics";
import { readConfig } from "./config.ts";
import { createHealth } from "./health.ts";
import { createPostgresIdempotency } from "./idempotency/postgresIdempotency.ts";
import { createIngressServer } from "./ingressServer.ts";
import { createPartnerLists } from "./partners/partnerLists.ts";
import { observeProducer } from "./producerMetrics.ts";
import { frameSchemas } from "./schemas.ts";

const DRAIN_MS = 12_000;
/** Twice as many as are asked for keys that nobody knows yet: those in use are refreshed by the others. */
const KEY_CONNECTIONS_MAX = 4;
const KEYS_KEPT_MS = 72 * 3_600_000;

const config = readConfig(process.env);
const logger = createLogger({ name: "ingress", level: config.LOG_LEVEL });
const metrics = createMetrics();
const lifecycle = createLifecycle(logger, { drainMs: config.HEADWATER_DRAIN_SECONDS * 1_000 });
const tracing = startTracing({ serviceName: "headwater-ingress" });

const postgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: 8,
  applicationName: "headwater-ingress",
  statementTimeoutMs: 5_000,
  logger,
});
// Of its own: what anybody can make up waits for no connection that accepted work needs, and the other way.
const keyPostgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: KEY_CONNECTIONS_MAX,
  applicationName: "headwater-ingress-keys",
  statementTimeoutMs: 1_000,
  logger,
});
const codec = createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL, schemas: frameSchemas(), logger });
const producer = createFrameProducer({
  brokers: config.KAFKA_BROKERS,
  security: kafkaSecurityOf(config),
  clientId: "headwater-ingress",
  codec,
  logger,
  observer: observeProducer(metrics),
});
const keys = createKeyCache({
  find: (hash) => findUsableApiKey(keyPostgres, hash),
  findMany: (hashes) => findUsableApiKeys(keyPostgres, hashes),
  logger,
});
const server = createIngressServer({
  logger,
  metrics,
  ...httpOptionsOf(config),
  producer,
  keys,
  accounts: accountsIn(keyPostgres),
  partnerLists: createPartnerLists(postgres),
  idempotency: createPostgresIdempotency(postgres),
  secret: readFileSync(config.HEADWATER_SECRET_FILE, "utf8").trim(),
  tracing: tracing.enabled,
});

// Parts stop in reverse: the server first, so that what it still answers can be written; then the producer; then the stores.
lifecycle.use("tracing", tracing);
lifecycle.use("postgres", { stop: () => Promise.all([postgres.close(), keyPostgres.close()]) });
lifecycle.use(
  "key changes",
  listenForKeyChanges({
    url: config.POSTGRES_URL,
    applicationName: "headwater-ingress",
    onChange: (hash) => keys.changed(hash),
    logger,
  }),
);
lifecycle.use("last use", recordLastUse({ session: postgres, usedSince: (ms) => keys.usedSince(ms), logger }));
const deleteOld = async (nowMs: number) => void (await deleteIdempotency(postgres, nowMs - KEYS_KEPT_MS));
const housekeeping = { what: "old Idempotency-Keys", deleteOld, clock: systemClock, logger };
lifecycle.use("housekeeping", createHousekeeping(housekeeping));
const registering = new AbortController();
lifecycle.use("codec", {
  // The registry may come later than we do: until then every call gets 503, and /ready says why.
  start: () =>
    void codec
      .ready(registering.signal)
      .catch((error: unknown) => registering.signal.aborted || lifecycle.fatal(error)),
  stop: () => registering.abort(),
});
let isServing = false;
lifecycle.use("operations", operationsPart(createHealth({ codec, producer, postgres, isServing: () => isServing })));
lifecycle.use("producer", { start: () => producer.start(), stop: () => producer.drain(DRAIN_MS) });
lifecycle.use("http", {
  start: async () => {
    await server.start({ host: config.HEADWATER_HOST, port: config.HEADWATER_PORT });
    isServing = true;
  },
  stop: () => {
    isServing = false;
    return server.stop();
  },
});
await lifecycle.start();

function operationsPart(health: OperationsOptions["health"]): Part {
  let stop: (() => Promise<void>) | undefined;
  return {
    start: async () => {
      const { HEADWATER_OPERATIONS_HOST: host, HEADWATER_OPERATIONS_PORT: port } = config;
      ({ stop } = await startOperations({ host, port, health, metrics, isStopping: lifecycle.isStopping }));
    },
    stop: () => stop?.(),
  };
}
