import { readFileSync } from "node:fs";
import {
  createLifecycle,
  createLogger,
  createMetrics,
  type OperationsOptions,
  type Part,
  startOperations,
  startTracing,
} from "@headwater/kernel";
import { createPostgres, findAccount } from "@headwater/stores";
import { createCodec, createFrameProducer } from "@headwater/topics";
import { readConfig } from "./config.ts";
import { createHealth } from "./health.ts";
import { forgetOldKeys } from "./idempotency/forgetOldKeys.ts";
import { createPostgresIdempotency } from "./idempotency/postgresIdempotency.ts";
import { createIngressServer } from "./ingressServer.ts";
import { createKeyFinder } from "./keys.ts";
import { createPartnerLists } from "./partners/partnerLists.ts";
import { observeProducer } from "./producerMetrics.ts";
import { frameSchemas } from "./schemas.ts";

const DRAIN_MS = 12_000;

const config = readConfig(process.env);
const host = config.HEADWATER_HOST;
const logger = createLogger({ name: "ingress", level: config.LOG_LEVEL });
const metrics = createMetrics();
const lifecycle = createLifecycle(logger);
const tracing = startTracing({ serviceName: "headwater-ingress" });

const postgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: 8,
  applicationName: "headwater-ingress",
  statementTimeoutMs: 5_000,
  logger,
});
const codec = createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL, schemas: frameSchemas(), logger });
const producer = createFrameProducer({
  brokers: config.KAFKA_BROKERS,
  clientId: "headwater-ingress",
  codec,
  logger,
  observer: observeProducer(metrics),
});
const tls =
  config.HEADWATER_TLS_KEY_FILE === undefined || config.HEADWATER_TLS_CERT_FILE === undefined
    ? undefined
    : { key: readFileSync(config.HEADWATER_TLS_KEY_FILE), cert: readFileSync(config.HEADWATER_TLS_CERT_FILE) };
const server = createIngressServer({
  logger,
  metrics,
  plainHttp: config.HEADWATER_ALLOW_PLAIN_HTTP,
  producer,
  findKey: createKeyFinder(postgres),
  findAccount: (id) => findAccount(postgres, id),
  partnerLists: createPartnerLists(postgres),
  idempotency: createPostgresIdempotency(postgres),
  secret: readFileSync(config.HEADWATER_SECRET_FILE, "utf8").trim(),
  tracing: tracing.enabled,
  ...(tls && { tls }),
});

// Parts stop in reverse: the server first, so that what it still answers can be written; then the producer; then the stores.
lifecycle.use("tracing", tracing);
lifecycle.use("postgres", { stop: () => postgres.close() });
lifecycle.use("old keys", forgetOldKeys(postgres, logger));
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
    await server.start({ host, port: config.HEADWATER_PORT });
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
      ({ stop } = await startOperations({ host, port: config.HEADWATER_OPERATIONS_PORT, health, metrics }));
    },
    stop: () => stop?.(),
  };
}
