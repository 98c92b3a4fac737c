import { LOG_LEVELS, outboundEnvironment, transportEnvironment } from "@headwater/kernel";
import { kafkaEnvironment } from "@headwater/topics";
import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);

/** The environment of the automation process. */
export const automationConfig = z.object({
  ...outboundEnvironment,
  ...transportEnvironment,
  ...kafkaEnvironment,
  HEADWATER_OPERATIONS_HOST: z.string().default("127.0.0.1"),
  HEADWATER_OPERATIONS_PORT: port.default(8444),
  KAFKA_BROKERS: z.string().transform((text) => text.split(",").map((broker) => broker.trim())),
  POSTGRES_URL: z.string().min(1),
  CLICKHOUSE_URL: z.url(),
  /** File of the secret that erased identifiers are hashed with, as hex. Not set: it is in Postgres. */
  HEADWATER_ERASURE_SECRET_FILE: z.string().optional(),
  SCHEMA_REGISTRY_URL: z.url(),
  /** Kafka's time without a sign of life before partitions are given to others. */
  HEADWATER_SESSION_TIMEOUT_MS: z.coerce.number().int().min(6_000).max(60_000).default(15_000),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
});
