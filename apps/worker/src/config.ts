import { filesEnvironment } from "@headwater/jobs/files/filesEnvironment";
import { LOG_LEVELS, outboundEnvironment } from "@headwater/kernel";
import { kafkaEnvironment } from "@headwater/topics";
import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);

/** The worker's environment. */
export const workerConfig = z.object({
  ...kafkaEnvironment,
  ...outboundEnvironment,
  ...filesEnvironment,
  HEADWATER_OPERATIONS_HOST: z.string().default("127.0.0.1"),
  HEADWATER_OPERATIONS_PORT: port.default(8428),
  /** Asked what it has seen of Postgres. */
  KAFKA_BROKERS: z.string().transform((text) => text.split(",").map((broker) => broker.trim())),
  /** Says how rows of imports are written. */
  SCHEMA_REGISTRY_URL: z.url(),
  POSTGRES_URL: z.string().min(1),
  CLICKHOUSE_URL: z.url(),
  /** Hex secret that erased identifiers are hashed with. Not set: it is in Postgres. */
  HEADWATER_ERASURE_SECRET_FILE: z.string().optional(),
  /** A claim of a sink is 30 s old at most when its insert is sent, and that has its answer within 30 s more. */
  HEADWATER_SINK_SETTLE_SECONDS: z.coerce.number().int().min(0).max(3_600).default(60),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  /** Jobs of one account that this process runs at a time: so many short ones, and so many exports and imports. One more of each is another account's. */
  HEADWATER_JOBS_CONCURRENTLY: z.coerce.number().int().min(1).max(32).default(4),
});

export type WorkerConfig = z.output<typeof workerConfig>;
