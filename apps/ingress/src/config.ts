import { type Environment, LOG_LEVELS, loadConfig } from "@headwater/kernel";
import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);

const schema = z.object({
  HEADWATER_HOST: z.string().default("127.0.0.1"),
  HEADWATER_PORT: port.default(8420),
  HEADWATER_OPERATIONS_PORT: port.default(8424),
  KAFKA_BROKERS: z.string().transform((list) => list.split(",").map((broker) => broker.trim())),
  SCHEMA_REGISTRY_URL: z.url(),
  POSTGRES_URL: z.url(),
  HEADWATER_SECRET_FILE: z.string(),
  /** `loopback` in development, `trusted-proxy` behind a proxy that ends TLS, absent: HTTPS by this process alone. */
  HEADWATER_ALLOW_PLAIN_HTTP: z.enum(["loopback", "refuse", "trusted-proxy"]).default("refuse"),
  HEADWATER_TLS_KEY_FILE: z.string().optional(),
  HEADWATER_TLS_CERT_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
});

export type IngressConfig = z.output<typeof schema>;

/** @throws HeadwaterError `CONFIG_INVALID` that names every wrong variable. */
export function readConfig(env: Environment): IngressConfig {
  return loadConfig(schema, env);
}
