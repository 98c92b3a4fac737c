import { PROJECTOR_GROUPS } from "@headwater/contracts";
import { PARKED_FOR_MS } from "@headwater/intake/state/rejectRows";
import { LOG_LEVELS } from "@headwater/kernel";
import { kafkaEnvironment } from "@headwater/topics";
import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);

/** Parts of a projector; a busy installation gives each part processes of its own. */
export const PROJECTOR_PARTS = [...PROJECTOR_GROUPS, "relay", "redriver"] as const;
export type ProjectorPart = (typeof PROJECTOR_PARTS)[number];

const parts = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .pipe(z.array(z.enum(PROJECTOR_PARTS)).min(1));

/** The projector's environment. */
export const projectorConfig = z.object({
  ...kafkaEnvironment,
  HEADWATER_OPERATIONS_HOST: z.string().default("127.0.0.1"),
  HEADWATER_OPERATIONS_PORT: port.default(8425),
  KAFKA_BROKERS: z.string().transform((text) => text.split(",").map((broker) => broker.trim())),
  SCHEMA_REGISTRY_URL: z.url(),
  POSTGRES_URL: z.string().min(1),
  CLICKHOUSE_URL: z.url(),
  /** File of the secret that erased identifiers are hashed with, as hex. Not set: it is in Postgres. */
  HEADWATER_ERASURE_SECRET_FILE: z.string().optional(),
  /** File of the secret that signs receipts, shared with ingress and service. Not set: events about refused records have no receipt. */
  HEADWATER_SECRET_FILE: z.string().optional(),
  /** Comma list of the parts this process runs. Each must run somewhere. */
  HEADWATER_PROJECTOR_PARTS: parts.default([...PROJECTOR_PARTS]),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  /** Partitions that `state` works on at a time. */
  HEADWATER_PARTITIONS_CONCURRENTLY: z.coerce.number().int().min(1).max(64).default(4),
  /** Time that activities and history collect rows for one insert at most, in milliseconds; less while inserts are quick. */
  HEADWATER_SINK_LINGER_MS: z.coerce.number().int().min(0).max(10_000).default(250),
  /** Times that a record of an unknown contact waits before each further attempt, in milliseconds, as a comma list. */
  HEADWATER_PARKED_FOR_MS: z
    .string()
    .default(PARKED_FOR_MS.join(","))
    .transform((text) => text.split(",").map(Number))
    .pipe(z.array(z.number().int().min(0)).min(1).max(16)),
  /** Kafka's time without a sign of life before partitions are given to others. */
  HEADWATER_SESSION_TIMEOUT_MS: z.coerce.number().int().min(6_000).max(60_000).default(15_000),
});

export type ProjectorConfig = z.output<typeof projectorConfig>;
