import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Failure } from "../bootstrap/failure.mjs";
import { checkPortsFree } from "../bootstrap/ports.mjs";
import { clickhouseUrl, defineClickHouse } from "../embedded/clickhouse/definition.ts";
import type { ClosedListeners } from "../embedded/kafka/closedListeners.ts";
import { defineKafka, newClusterId } from "../embedded/kafka/definition.ts";
import type { KafkaNode } from "../embedded/kafka/serverProperties.ts";
import { definePostgres, postgresUrl } from "../embedded/postgres/definition.ts";
import { defineRegistry, registryUrl } from "../embedded/registry/definition.ts";
import { archiveClasses } from "./archiveClasses.ts";
import { BoundedLog } from "./boundedLog.ts";
import { closeHome, closeTree, OWNERS_FILE, OWNERS_FOLDER } from "./closedHome.ts";
import type { OnProgress, ServiceDefinition, ServiceName } from "./definition.ts";
import { Guard } from "./guard.ts";
import { kafkaPorts, portOffsets, type WantedPort } from "./ports.ts";
import { readOrMakeSecret } from "./secretFile.ts";
import { SupervisedProcess } from "./supervisedProcess.ts";

const MARKER = "data-version";

export interface StartServicesOptions {
  /** Data, logs and secrets. */
  readonly home: string;
  /** Folder of downloads, shared by all homes. */
  readonly cache: string;
  readonly portBase: number;
  /** Default: all four. */
  readonly only?: readonly ServiceName[];
  readonly onProgress?: OnProgress;
  /** One Kafka node (the default) or three. */
  readonly kafkaNodes?: 1 | 3;
  /** Closed listeners of the only Kafka node next to the plain one, for tests. */
  readonly kafkaClosed?: ClosedListeners;
  /** Starts Kafka quickly instead of making it fast for long. Default false. */
  readonly isShortLived?: boolean;
  /** Keeps the classes of Java's servers before they start, where nobody has; default false. */
  readonly archivesClasses?: boolean;
  /** Says whether a service that ends by itself is restarted: for all (default true), or by name. */
  readonly autoRestart?: boolean | Partial<Record<ServiceName, boolean>>;
  /** KAFKA_BROKERS, SCHEMA_REGISTRY_URL, POSTGRES_URL, CLICKHOUSE_URL: what is given is used instead of started. */
  readonly env?: NodeJS.ProcessEnv;
  /** Ends a start that is under way; what is running by then is stopped. */
  readonly signal?: AbortSignal;
}

export interface ServiceAddresses {
  /** `host:port`, several with commas. */
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  readonly postgresUrl: string;
  readonly clickhouseUrl: string;
}

export interface RunningServices extends ServiceAddresses {
  /** Services that were started here; a service given by its address is not among them. */
  readonly services: Partial<Record<ServiceName, SupervisedProcess>>;
  /** Every Kafka node, the first is `services.kafka`. */
  readonly kafkaNodes: readonly SupervisedProcess[];
  /** Stops them in reverse order. */
  readonly stop: () => Promise<void>;
}

interface Started {
  readonly name: ServiceName;
  readonly process: SupervisedProcess;
}

interface Definitions {
  readonly addresses: ServiceAddresses;
  readonly definitions: readonly (readonly [ServiceName, ServiceDefinition])[];
}

/**
 * Starts what is not given by address and waits until all of it answers. What is started dies with this process.
 * Throws a Failure (port taken, cannot be fetched, data of another version, does not start) after stopping the rest.
 */
export async function startServices(options: StartServicesOptions): Promise<RunningServices> {
  const home = resolve(options.home);
  const onProgress = options.onProgress ?? (() => undefined);
  const wanted = wantedServices(options);
  await closeHome(home);
  await checkPortsFree(servicePorts(options, wanted));
  const { addresses, definitions } = await define({ ...options, home }, wanted);
  for (const [, definition] of definitions) await definition.fetch(onProgress, options.signal);
  if (options.archivesClasses) await archiveClasses({ ...options, services: wanted, onProgress });
  const guard = new Guard();
  const outcomes = await Promise.allSettled(
    definitions.map(async ([name, definition]) => {
      const started = { home, guard, onProgress, autoRestart: restartsItself(options, name) };
      return { name, process: await startEmbeddedService(definition, started) };
    }),
  );
  const running = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const stop = () => stopAll(running, guard);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return {
    ...addresses,
    services: Object.fromEntries(running.map(({ name, process }) => [name, process] as const).reverse()),
    kafkaNodes: running.filter(({ name }) => name === "kafka").map(({ process }) => process),
    stop,
  };
}

/** The ports that `startServices` will need, with what for: for a check before anything is fetched. */
export function servicePorts(
  options: Pick<StartServicesOptions, "portBase" | "kafkaNodes">,
  wanted: readonly ServiceName[],
): WantedPort[] {
  const { portBase, kafkaNodes = 1 } = options;
  const kafka = kafkaPorts(portBase, kafkaNodes).flatMap((node) => [
    { port: node.port, use: "Kafka" },
    { port: node.controllerPort, use: "Kafka's controller" },
  ]);
  return wanted.flatMap((name) => (name === "kafka" ? kafka : [{ port: portBase + portOffsets[name], use: name }]));
}

/** Returns the services that are asked for, without those given by address. */
export function wantedServices({ only, env = process.env }: Pick<StartServicesOptions, "only" | "env">): ServiceName[] {
  const all: readonly ServiceName[] = only ?? ["postgres", "clickhouse", "kafka", "registry"];
  return all.filter((name) => !env[addressVariables[name]]);
}

export const addressVariables = {
  kafka: "KAFKA_BROKERS",
  registry: "SCHEMA_REGISTRY_URL",
  postgres: "POSTGRES_URL",
  clickhouse: "CLICKHOUSE_URL",
} as const satisfies Record<ServiceName, string>;

async function define(options: StartServicesOptions, wanted: readonly ServiceName[]): Promise<Definitions> {
  const { home, cache, portBase, env = process.env } = options;
  const nodes = kafkaPorts(portBase, options.kafkaNodes ?? 1);
  const postgres = {
    cache,
    port: portBase + portOffsets.postgres,
    password: await passwordOf(home, "postgres", wanted),
  };
  const registry = { cache, port: portBase + portOffsets.registry };
  const clickhouse = {
    port: portBase + portOffsets.clickhouse,
    password: await passwordOf(home, "clickhouse", wanted),
    isShortLived: options.isShortLived,
  };
  const created: Record<ServiceName, () => ServiceDefinition[]> = {
    kafka: () => defineKafkaNodes(nodes, options),
    registry: () => [defineRegistry(registry)],
    postgres: () => [definePostgres(postgres)],
    clickhouse: () => [defineClickHouse(clickhouse)],
  };
  return {
    addresses: {
      kafkaBrokers: env.KAFKA_BROKERS || nodes.map(({ port }) => `127.0.0.1:${port}`).join(","),
      schemaRegistryUrl: env.SCHEMA_REGISTRY_URL || registryUrl(registry.port),
      postgresUrl: env.POSTGRES_URL || postgresUrl(postgres),
      clickhouseUrl: env.CLICKHOUSE_URL || clickhouseUrl(clickhouse),
    },
    definitions: wanted.flatMap((name) => created[name]().map((definition) => [name, definition] as const)),
  };
}

function defineKafkaNodes(nodes: readonly KafkaNode[], options: StartServicesOptions): ServiceDefinition[] {
  const { cache, kafkaClosed: closed, isShortLived } = options;
  const clusterId = newClusterId();
  return nodes.map((node) => defineKafka({ cache, nodes, node, clusterId, closed, isShortLived }));
}

async function passwordOf(
  home: string,
  name: "postgres" | "clickhouse",
  wanted: readonly ServiceName[],
): Promise<string> {
  return wanted.includes(name) ? readOrMakeSecret(join(home, "secrets", `${name}-password`)) : "";
}

function restartsItself({ autoRestart = true }: StartServicesOptions, name: ServiceName): boolean {
  return typeof autoRestart === "boolean" ? autoRestart : (autoRestart[name] ?? true);
}

/** Reverse order; the nodes of one cluster together, for a node alone waits in vain for the others to take over. */
async function stopAll(running: readonly Started[], guard: Guard): Promise<void> {
  const names = new Set(running.map(({ name }) => name).reverse());
  for (const name of names) {
    await Promise.all(running.filter((one) => one.name === name).map(({ process }) => process.stop()));
  }
  guard.close();
}

interface EmbeddedServiceOptions {
  readonly home: string;
  readonly guard: Guard;
  readonly autoRestart: boolean;
  readonly onProgress: OnProgress;
}

/** Prepares a service's data folder under `home` and starts it; resolves when it answers. */
async function startEmbeddedService(
  definition: ServiceDefinition,
  { home, guard, autoRestart, onProgress }: EmbeddedServiceOptions,
): Promise<SupervisedProcess> {
  const startedAtMs = performance.now();
  const folder = await openDataFolder(home, definition);
  const service = new SupervisedProcess({
    name: definition.name,
    plan: () => definition.launch(folder),
    isReady: definition.isReady,
    log: new BoundedLog(join(home, "logs", `${definition.name}.log`)),
    guard,
    autoRestart,
  });
  try {
    await service.start();
  } catch (error) {
    await service.stop();
    throw error;
  }
  onProgress(`${definition.name} is ready (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`);
  return service;
}

/**
 * The data folder of a service under `home`, made when it is not there. It appears whole or not at all: it is filled under
 * another name and renamed. A Failure when it holds the data of another version.
 */
export async function openDataFolder(home: string, definition: ServiceDefinition): Promise<string> {
  const parent = join(home, "data", definition.name);
  const folder = join(parent, "current");
  const version = await definition.dataVersion();
  if (existsSync(folder)) await refuseOtherVersion(parent, version);
  else await fillDataFolder(parent, definition, version);
  return folder;
}

async function refuseOtherVersion(parent: string, version: string): Promise<void> {
  const found = (await readFile(join(parent, MARKER), "utf8").catch(() => "an unknown version")).trim();
  if (found === version) return;
  throw new Failure(
    `the data in ${parent} were written by ${found} and this Headwater runs ${version}: ` +
      "start with another HEADWATER_HOME, or empty this one with npm start -- --reset.",
  );
}

async function fillDataFolder(parent: string, definition: ServiceDefinition, version: string): Promise<void> {
  const unfinished = join(parent, "unfinished");
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: OWNERS_FOLDER });
  await definition.prepare(unfinished);
  await closeTree(unfinished);
  await writeFile(join(parent, MARKER), `${version}\n`, { mode: OWNERS_FILE });
  await rename(unfinished, join(parent, "current"));
}
