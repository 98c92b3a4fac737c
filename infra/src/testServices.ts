import { rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder, portBase, testHomeFolder } from "../bootstrap/places.mjs";
import { checkPortsFree } from "../bootstrap/ports.mjs";
import type { OnProgress } from "./definition.ts";
import {
  type RunningServices,
  type ServiceAddresses,
  servicePorts,
  startServices,
  wantedServices,
} from "./startServices.ts";

/** Far enough from HEADWATER_PORT_BASE that a running `npm start` is not disturbed. */
export const TEST_PORTS_ABOVE = 10_000;

export interface TestServicesOptions {
  /** The folder's name under `.headwater-test`, for what runs at the same time as the suites. */
  readonly name: string;
  /** Added to the suites' port base. */
  readonly portsAbove?: number;
  /** One Kafka node (the default) or three. */
  readonly kafkaNodes?: 1 | 3;
  /** Default true; false for what is measured. */
  readonly isShortLived?: boolean;
  readonly onProgress?: OnProgress;
  readonly env?: NodeJS.ProcessEnv;
}

/** Empty services of their own for suites, bench and fault runs; what is given by address is used as it is. */
export async function startTestServices(options: TestServicesOptions): Promise<RunningServices> {
  const { name, portsAbove = 0, kafkaNodes = 1, isShortLived = true } = options;
  const { onProgress = () => undefined, env = process.env } = options;
  const home = join(testHomeFolder, name);
  const base = portBase(env) + TEST_PORTS_ABOVE + portsAbove;
  const wanted = wantedServices({ env });
  // Before anything is removed: taken ports mean that another run on this folder is under way.
  await checkPortsFree(servicePorts({ portBase: base, kafkaNodes }, wanted));
  const nodes = wanted.includes("kafka") ? ["kafka2", "kafka3"] : [];
  for (const service of [...wanted, ...nodes]) await rm(join(home, "data", service), { recursive: true, force: true });
  const started = { home, cache: cacheFolder(env), portBase: base, kafkaNodes, isShortLived, onProgress, env };
  return startServices({ ...started, archivesClasses: true });
}

/** The addresses as the variables that processes and suites read. */
export function addressEnvironment(addresses: ServiceAddresses): Record<string, string> {
  return {
    KAFKA_BROKERS: addresses.kafkaBrokers,
    SCHEMA_REGISTRY_URL: addresses.schemaRegistryUrl,
    POSTGRES_URL: addresses.postgresUrl,
    CLICKHOUSE_URL: addresses.clickhouseUrl,
  };
}
