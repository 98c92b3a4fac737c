import { checkHttpEnvironment, httpEnvironment } from "@headwater/http";
import { filesEnvironment } from "@headwater/jobs/files/filesEnvironment";
import { type Environment, LOG_LEVELS, loadConfig, outboundEnvironment, transportEnvironment } from "@headwater/kernel";
import { kafkaEnvironment } from "@headwater/topics";
import { z } from "zod";

const schema = z
  .object({
    ...httpEnvironment,
    ...kafkaEnvironment,
    ...outboundEnvironment,
    ...transportEnvironment,
    ...filesEnvironment,
    HEADWATER_PORT: httpEnvironment.HEADWATER_PORT.default(8421),
    HEADWATER_OPERATIONS_PORT: httpEnvironment.HEADWATER_OPERATIONS_PORT.default(8426),
    KAFKA_BROKERS: z.string().transform((list) => list.split(",").map((broker) => broker.trim())),
    SCHEMA_REGISTRY_URL: z.url(),
    POSTGRES_URL: z.url(),
    CLICKHOUSE_URL: z.url(),
    /** Address that links of messages begin with. */
    HEADWATER_TRACKING_URL: z.url().default("http://127.0.0.1:8450"),
    HEADWATER_SECRET_FILE: z.string(),
    /** File with the key of the hashes of erased identifiers, as hex. Not set: the key is in Postgres. */
    HEADWATER_ERASURE_SECRET_FILE: z.string().optional(),
    /** Seconds of serving after SIGTERM, no longer ready, so that balancers send nothing new. */
    HEADWATER_DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(5),
    LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  })
  .superRefine(checkHttpEnvironment);

export type ServiceConfig = z.output<typeof schema>;

/** @throws HeadwaterError `CONFIG_INVALID` that names every wrong variable. */
export function readConfig(env: Environment): ServiceConfig {
  return loadConfig(schema, env);
}
