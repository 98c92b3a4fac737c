import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  GenericContainer,
  getContainerRuntimeClient,
  RandomPortGenerator,
  type StartedTestContainer,
  Wait,
} from "testcontainers";
import { rootFolder, type ServiceAddresses } from "../../../infra/src/index.ts";
import { readComposeService } from "./composeFile.ts";
import { addressVariables, missingServices } from "./realServices.ts";

/** Time from the start of a container on; fetching its image comes before and may take longer. */
const STARTUP_TIMEOUT_MS = 120_000;

export interface ContainerServicesOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly onProgress: (line: string) => void;
}

export interface ContainerServices extends ServiceAddresses {
  /** Stops and removes the containers; they go with this process, too. */
  readonly stop: () => Promise<void>;
}

interface Started {
  readonly address: string;
  readonly container: StartedTestContainer;
}

const starters = {
  kafkaBrokers: startKafka,
  schemaRegistryUrl: startRegistry,
  postgresUrl: startPostgres,
  clickhouseUrl: startClickHouse,
} as const satisfies Record<keyof ServiceAddresses, () => Promise<Started>>;

/** Starts empty services in containers, but those that the environment gives. Throws after stopping all when one fails. */
export async function startContainerServices({
  env,
  onProgress,
}: ContainerServicesOptions): Promise<ContainerServices> {
  const missing = missingServices(env);
  const outcomes = await Promise.allSettled(
    missing.map(async (service) => {
      const started = await starters[service]();
      onProgress(`${addressVariables[service]} is ready in a container`);
      return { service, ...started };
    }),
  );
  const running = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const stop = async () => {
    await Promise.all(running.map(({ container }) => container.stop()));
  };
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  const addressOf = (service: keyof ServiceAddresses) =>
    running.find((one) => one.service === service)?.address ?? env[addressVariables[service]] ?? "";
  return {
    kafkaBrokers: addressOf("kafkaBrokers"),
    schemaRegistryUrl: addressOf("schemaRegistryUrl"),
    postgresUrl: addressOf("postgresUrl"),
    clickhouseUrl: addressOf("clickhouseUrl"),
    stop,
  };
}

/** A broker advertises its address to its clients, so its port outside must be known before it starts. */
async function startKafka(): Promise<Started> {
  const { info } = await getContainerRuntimeClient();
  const port = await new RandomPortGenerator().generatePort();
  const address = `${info.containerRuntime.host}:${port}`;
  const container = await prepare("kafka", {
    KAFKA_CONTROLLER_QUORUM_VOTERS: "1@localhost:9093",
    KAFKA_LISTENERS: "PLAINTEXT://:9092,INTERNAL://:19092,CONTROLLER://:9093",
    KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${address},INTERNAL://localhost:19092`,
    KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: "PLAINTEXT:PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
    KAFKA_INTER_BROKER_LISTENER_NAME: "INTERNAL",
  })
    .withExposedPorts({ container: 9092, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .start();
  return { address, container };
}

async function startRegistry(): Promise<Started> {
  const container = await prepare("registry", {
    APICURIO_DATASOURCE_URL: "jdbc:h2:mem:registry;DB_CLOSE_DELAY=-1",
  })
    .withExposedPorts(8080)
    .withWaitStrategy(Wait.forHttp("/apis/ccompat/v7/subjects", 8080).forStatusCode(200))
    .start();
  return { address: `http://${outside(container, 8080)}/apis/ccompat/v7`, container };
}

async function startPostgres(): Promise<Started> {
  const password = newPassword();
  const container = await prepare("postgres", { POSTGRES_PASSWORD: password })
    .withExposedPorts(5432)
    // The first time is while the database is made, without a port for others.
    .withWaitStrategy(
      Wait.forAll([Wait.forLogMessage(/database system is ready to accept connections/, 2), Wait.forListeningPorts()]),
    )
    .start();
  return { address: `postgres://headwater:${password}@${outside(container, 5432)}/headwater`, container };
}

async function startClickHouse(): Promise<Started> {
  const password = newPassword();
  const container = await prepare("clickhouse", { CLICKHOUSE_PASSWORD: password })
    .withCopyFilesToContainer([
      { source: settingsFile("clickhouseServer.xml"), target: "/etc/clickhouse-server/config.d/headwater.xml" },
      { source: settingsFile("clickhouseUsers.xml"), target: "/etc/clickhouse-server/users.d/headwater.xml" },
    ])
    .withUlimits({ nofile: { soft: 262_144, hard: 262_144 } })
    .withExposedPorts(8123)
    .withWaitStrategy(Wait.forHttp("/ping", 8123).forStatusCode(200))
    .start();
  return { address: `http://headwater:${password}@${outside(container, 8123)}/headwater`, container };
}

/** The container as infra/compose.yaml describes it, with other settings where it stands alone. */
function prepare(name: string, settings: Readonly<Record<string, string>>): GenericContainer {
  const { image, environment, command } = readComposeService(name);
  const container = new GenericContainer(image)
    .withEnvironment({ ...environment, ...settings })
    .withStartupTimeout(STARTUP_TIMEOUT_MS);
  return command.length === 0 ? container : container.withCommand([...command]);
}

function outside(container: StartedTestContainer, port: number): string {
  return `${container.getHost()}:${container.getMappedPort(port)}`;
}

function settingsFile(name: string): string {
  return join(rootFolder, "infra", "containers", name);
}

function newPassword(): string {
  return randomBytes(16).toString("hex");
}
