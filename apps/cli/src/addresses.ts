import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Environment, HeadwaterError, loadConfig } from "@headwater/kernel";
import { type KafkaAccess, kafkaEnvironment, kafkaSecurityOf } from "@headwater/topics";
import { z } from "zod";

const schema = z.object({
  POSTGRES_URL: z.string().min(1).optional(),
  CLICKHOUSE_URL: z.url().optional(),
  CLICKHOUSE_CLUSTER: z.string().min(1).optional(),
  KAFKA_BROKERS: z.string().min(1).optional(),
  ...kafkaEnvironment,
  HEADWATER_TOPIC_FLUSH_MESSAGES: z
    .string()
    .regex(/^[1-9]\d{0,18}$/)
    .optional(),
  SCHEMA_REGISTRY_URL: z.url().optional(),
  HEADWATER_BASE_URL: z.url().optional(),
  HEADWATER_INGRESS_URL: z.url().optional(),
  HEADWATER_SERVICE_URL: z.url().optional(),
  HEADWATER_API_KEY: z.string().min(1).optional(),
  HEADWATER_SETTINGS_KEY_FILE: z.string().min(1).optional(),
});

/** Addresses of everything. A command that needs a missing one names its variable. */
export type Addresses = z.output<typeof schema>;

const address = z.string().nullish();
const connectionFile = z.object({
  postgresUrl: address,
  clickhouseUrl: address,
  kafkaBrokers: address,
  schemaRegistryUrl: address,
  ingressUrl: address,
  serviceUrl: address,
  apiKey: address,
});

/** The clone that this command belongs to. */
const cloneFolder = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * The environment first, then `connection.json` of the running instance (in HEADWATER_HOME, default `.headwater`).
 * @throws HeadwaterError `CONFIG_INVALID` for a variable or a file that cannot be used.
 */
export function readAddresses(env: Environment): Addresses {
  return { ...readInstance(env), ...readVariables(env) };
}

/** Reads the environment alone. @throws HeadwaterError `CONFIG_INVALID`. */
export function readVariables(env: Environment): Addresses {
  return loadConfig(schema, env);
}

/**
 * Reads the running instance's file: of a home in the caller's folder, else of one in the clone. Empty where there is neither.
 * @throws HeadwaterError `CONFIG_INVALID`.
 */
export function readInstance(env: Environment, clone = cloneFolder): Addresses {
  const home = env.HEADWATER_HOME || ".headwater";
  const files = [process.cwd(), clone].map((folder) => resolve(folder, home, "connection.json"));
  const file = files.find((one) => existsSync(one));
  return file === undefined ? {} : parseConnection(file, readFileSync(file, "utf8"));
}

function parseConnection(file: string, text: string): Addresses {
  try {
    const found = connectionFile.parse(JSON.parse(text));
    return {
      POSTGRES_URL: found.postgresUrl ?? undefined,
      CLICKHOUSE_URL: found.clickhouseUrl ?? undefined,
      KAFKA_BROKERS: found.kafkaBrokers ?? undefined,
      SCHEMA_REGISTRY_URL: found.schemaRegistryUrl ?? undefined,
      HEADWATER_INGRESS_URL: found.ingressUrl ?? undefined,
      HEADWATER_SERVICE_URL: found.serviceUrl ?? undefined,
      HEADWATER_API_KEY: found.apiKey ?? undefined,
    };
  } catch (cause) {
    throw new HeadwaterError({
      code: "CONFIG_INVALID",
      status: 500,
      publicMessage: `${file} is not a connection file.`,
      cause,
    });
  }
}

/** @throws HeadwaterError `CONFIG_INVALID` naming the variable. */
export function needed(addresses: Addresses, name: keyof Addresses): string {
  const value = addresses[name];
  if (value !== undefined) return value;
  throw new HeadwaterError({
    code: "CONFIG_INVALID",
    status: 500,
    publicMessage: `${name} is not set, and no connection.json was found in HEADWATER_HOME: is Headwater running?`,
  });
}

/** Names the brokers and how to reach them. @throws HeadwaterError `CONFIG_INVALID` naming the variable. */
export function kafkaAccessOf(addresses: Addresses): KafkaAccess {
  const brokers = needed(addresses, "KAFKA_BROKERS").split(",");
  return { brokers, security: kafkaSecurityOf(addresses) };
}

/** An address as it may be shown: without user and password. */
export function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/@]*@/, "//");
}
