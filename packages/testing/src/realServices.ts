import type { ServiceAddresses } from "../../../infra/src/index.ts";

/** Home of the suites' services when the environment names none: processes of this machine, or containers. */
export type ServiceSource = "processes" | "containers";

/** The variable that gives each address. */
export const addressVariables = {
  kafkaBrokers: "KAFKA_BROKERS",
  schemaRegistryUrl: "SCHEMA_REGISTRY_URL",
  postgresUrl: "POSTGRES_URL",
  clickhouseUrl: "CLICKHOUSE_URL",
} as const satisfies Record<keyof ServiceAddresses, string>;

/**
 * The addresses of the real services that this run's tests share: each test takes topics, schemas and databases of its own.
 * They stand in the environment, put there by `npm test` or by the suite's global set-up (realServicesSetup.ts).
 */
export function useServices(env: NodeJS.ProcessEnv = process.env): ServiceAddresses {
  return {
    kafkaBrokers: address(env, "kafkaBrokers"),
    schemaRegistryUrl: address(env, "schemaRegistryUrl"),
    postgresUrl: address(env, "postgresUrl"),
    clickhouseUrl: address(env, "clickhouseUrl"),
  };
}

/** Returns the source that TEST_SERVICES names; processes without it. Throws on any other word, which would test what nobody meant. */
export function serviceSource(env: NodeJS.ProcessEnv): ServiceSource {
  const word = env.TEST_SERVICES || "processes";
  if (word === "processes" || word === "containers") return word;
  throw new Error(`TEST_SERVICES must be "processes" or "containers", not ${JSON.stringify(word)}`);
}

/** The services that the environment gives no address of. */
export function missingServices(env: NodeJS.ProcessEnv): readonly (keyof ServiceAddresses)[] {
  const all = ["kafkaBrokers", "schemaRegistryUrl", "postgresUrl", "clickhouseUrl"] as const;
  return all.filter((service) => !env[addressVariables[service]]);
}

function address(env: NodeJS.ProcessEnv, service: keyof ServiceAddresses): string {
  const name = addressVariables[service];
  const value = env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set: run npm test, or vitest --project`);
  return value;
}
