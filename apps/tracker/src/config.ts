import { checkHttpEnvironment, httpEnvironment } from "@headwater/http";
import { type Environment, LOG_LEVELS, loadConfig } from "@headwater/kernel";
import { kafkaEnvironment } from "@headwater/topics";
import { z } from "zod";

const schema = z
  .object({
    ...httpEnvironment,
    ...kafkaEnvironment,
    HEADWATER_PORT: httpEnvironment.HEADWATER_PORT.default(8450),
    HEADWATER_OPERATIONS_PORT: httpEnvironment.HEADWATER_OPERATIONS_PORT.default(8443),
    KAFKA_BROKERS: z.string().transform((list) => list.split(",").map((broker) => broker.trim())),
    SCHEMA_REGISTRY_URL: z.url(),
    /** Tokens are made and opened under keys that are derived from those of the file. */
    HEADWATER_SETTINGS_KEY_FILE: z.string(),
    HEADWATER_DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(5),
    LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  })
  .superRefine(checkHttpEnvironment);

export type TrackerConfig = z.output<typeof schema>;

/** @throws HeadwaterError `CONFIG_INVALID` that names every wrong variable. */
export function readConfig(env: Environment): TrackerConfig {
  return loadConfig(schema, env);
}
