import { readFileSync } from "node:fs";
import { createLifecycle, createLogger, createMetrics, startOperations, startTracing } from "@headwater/kernel";
import { createClickHouse, createPostgres } from "@headwater/stores";
import { createTopicAdmin } from "@headwater/topics";
import { readConfig } from "./config.ts";
import { createHealth } from "./health.ts";
import { createKeyFinder } from "./keys.ts";
import { createServiceServer } from "./serviceServer.ts";

const QUERY_TIMEOUT_MS = 30_000;
const KAFKA_TIMEOUT_MS = 2_000;

const config = readConfig(process.env);
const host = config.HEADWATER_HOST;
const logger = createLogger({ name: "service", level: config.LOG_LEVEL });
const metrics = createMetrics();
const lifecycle = createLifecycle(logger);
const tracing = startTracing({ serviceName: "headwater-service" });

const postgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: 16,
  applicationName: "headwater-service",
  statementTimeoutMs: 10_000,
  logger,
});
const clickHouse = createClickHouse({ url: config.CLICKHOUSE_URL, requestTimeoutMs: QUERY_TIMEOUT_MS, logger });
const kafka = createTopicAdmin({
  brokers: config.KAFKA_BROKERS,
  clientId: "headwater-service",
  timeoutMs: KAFKA_TIMEOUT_MS,
  logger,
});
const highWatermarks = (topic: string) => kafka.watermarks(topic);
const tls =
  config.HEADWATER_TLS_KEY_FILE === undefined || config.HEADWATER_TLS_CERT_FILE === undefined
    ? undefined
    : { key: readFileSync(config.HEADWATER_TLS_KEY_FILE), cert: readFileSync(config.HEADWATER_TLS_CERT_FILE) };
const server = createServiceServer({
  logger,
  metrics,
  plainHttp: config.HEADWATER_ALLOW_PLAIN_HTTP,
  postgres,
  clickHouse,
  highWatermarks,
  findKey: createKeyFinder(postgres),
  secret: readFileSync(config.HEADWATER_SECRET_FILE, "utf8").trim(),
  tracing: tracing.enabled,
  ...(tls && { tls }),
});
const operations = await startOperations({
  host,
  port: config.HEADWATER_OPERATIONS_PORT,
  health: createHealth({ postgres, clickHouse, highWatermarks }),
  metrics,
});

// Parts stop in reverse: the server first, so that what it still answers can be read; then the stores.
lifecycle.use("tracing", tracing);
lifecycle.use("postgres", { stop: () => postgres.close() });
lifecycle.use("clickhouse", { stop: () => clickHouse.close() });
lifecycle.use("kafka", { stop: () => kafka.close() });
lifecycle.use("operations", { stop: () => operations.stop() });
lifecycle.use("http", {
  start: () => server.start({ host, port: config.HEADWATER_PORT }),
  stop: () => server.stop(),
});
await lifecycle.start();
