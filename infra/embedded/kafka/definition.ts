import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { kafkaFolder, kafkaVersion, log4jVersion } from "../../bootstrap/versions.mjs";
import { classArchive, classArguments } from "../../src/classArchive.ts";
import type { ServiceDefinition } from "../../src/definition.ts";
import { bareEnvironment, javaCommand, QUICK_START } from "../../src/environment.ts";
import { fetchWithMaven } from "../../src/fetchWithMaven.ts";
import { runOrFail } from "../../src/run.ts";
import { writeSettings } from "../../src/settingsFile.ts";
import type { ProcessPlan } from "../../src/supervisedProcess.ts";
import { type ClosedListeners, scramArguments } from "./closedListeners.ts";
import { type KafkaNode, serverProperties } from "./serverProperties.ts";

const METADATA_KEY = 3;

const METADATA_VERSION = 4;

const CORRELATION_ID = 1;

const ANSWER_BYTES_MAX = 1024 * 1024;

const POM = fileURLToPath(new URL("pom.xml", import.meta.url));
const WANTED = { title: `Kafka ${kafkaVersion} (44 MB)`, pom: POM, proof: `log4j-slf4j-impl-${log4jVersion}.jar` };
const LOG_SETTINGS = fileURLToPath(new URL("log4j2.xml", import.meta.url));
const MEMORY = ["-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-XX:-UsePerfData"];

export interface KafkaOptions {
  readonly cache: string;
  /** Every node of the cluster, this one included. */
  readonly nodes: readonly KafkaNode[];
  readonly node: KafkaNode;
  /** The same 16 bytes in base64url for every node of one cluster. */
  readonly clusterId: string;
  /** Closed listeners next to the plain one, for tests. */
  readonly closed?: ClosedListeners | undefined;
  /** Starts the broker quickly instead of making it fast for long. Default false. */
  readonly isShortLived?: boolean | undefined;
  /** File to which its classes are written when it ends, for the starts to come. */
  readonly classesTo?: string | undefined;
}

/** The file in which the starts to come search for its classes. */
export function kafkaArchive(cache: string): string {
  return classArchive(join(cache, kafkaFolder));
}

/** Defines a Kafka broker and controller in one process (KRaft), one node of a cluster of one or three. */
export function defineKafka(options: KafkaOptions): ServiceDefinition {
  const jars = join(options.cache, kafkaFolder);
  return {
    name: options.node.id === 1 ? "kafka" : `kafka${options.node.id}`,
    dataVersion: async () => "Kafka 4.3",
    fetch: (onProgress, signal) => fetchWithMaven({ ...WANTED, folder: jars }, onProgress, signal),
    prepare: (folder) => formatStorage(folder, jars, options),
    launch: (folder) => planBroker(folder, jars, options),
    isReady: async (signal) => (await countBrokers(options.node.port, signal)) >= options.nodes.length,
  };
}

/** Makes a cluster id as Kafka's own `random-uuid` does: never with a "-" first, which its tools take for an option. */
export function newClusterId(random: () => Buffer = () => randomBytes(16)): string {
  let id = random().toString("base64url");
  while (id.startsWith("-")) id = random().toString("base64url");
  return id;
}

async function formatStorage(folder: string, jars: string, options: KafkaOptions): Promise<void> {
  const logs = join(folder, "logs");
  await mkdir(logs, { recursive: true });
  const file = join(folder, "format.properties");
  await writeFile(file, serverProperties(options, logs));
  const tool = [
    "-XX:+UseSerialGC",
    QUICK_START,
    ...classArguments(jars),
    ...javaArgs(jars),
    "kafka.tools.StorageTool",
    "format",
    "--cluster-id",
    options.clusterId,
    "--config",
    file,
    ...(options.closed === undefined ? [] : scramArguments(options.closed)),
  ];
  await runOrFail("formatting Kafka's data folder", javaCommand(), tool, { env: bareEnvironment() });
  await rm(file);
}

/** The properties are written at every start, so that other ports and new settings take effect on old data. */
async function planBroker(folder: string, jars: string, options: KafkaOptions): Promise<ProcessPlan> {
  const file = join(folder, "server.properties");
  await writeSettings(file, serverProperties(options, join(folder, "logs")));
  return {
    command: javaCommand(),
    args: [
      ...MEMORY,
      ...(options.isShortLived ? [QUICK_START] : []),
      ...classArguments(jars, options.classesTo),
      ...javaArgs(jars),
      "kafka.Kafka",
      file,
    ],
    env: bareEnvironment(),
    cwd: folder,
  };
}

function javaArgs(jars: string): string[] {
  return [`-Dlog4j2.configurationFile=${LOG_SETTINGS}`, "-cp", join(jars, "*")];
}

/**
 * The number of brokers that a broker sees as alive, itself included, asked by a Metadata request (version 4, no topics;
 * see "Metadata API" in Kafka's protocol guide). Throws when it is not there or says nothing before the signal.
 */
async function countBrokers(port: number, signal: AbortSignal): Promise<number> {
  const socket = connect({ host: "127.0.0.1", port, signal });
  try {
    await once(socket, "connect", { signal });
    socket.write(metadataRequest());
    return parseBrokerCount(await readAnswer(socket, signal));
  } finally {
    socket.destroy();
  }
}

function metadataRequest(): Buffer {
  const body = Buffer.alloc(4 + 2 + 2 + 4 + 2 + 4 + 1);
  body.writeInt32BE(body.length - 4, 0);
  body.writeInt16BE(METADATA_KEY, 4);
  body.writeInt16BE(METADATA_VERSION, 6);
  body.writeInt32BE(CORRELATION_ID, 8);
  body.writeInt16BE(-1, 12); // no client id
  body.writeInt32BE(0, 14); // no topics
  body.writeInt8(0, 18); // and none to be made
  return body;
}

async function readAnswer(socket: AsyncIterable<Buffer>, signal: AbortSignal): Promise<Buffer> {
  let answer = Buffer.alloc(0);
  for await (const chunk of socket) {
    answer = Buffer.concat([answer, chunk]);
    if (signal.aborted || answer.length > ANSWER_BYTES_MAX) break;
    if (answer.length >= 4 && answer.length >= 4 + answer.readInt32BE(0)) return answer;
  }
  throw new Error("the broker ended the connection before its answer was whole");
}

/** Size, correlation id and throttle time come before the number of brokers, four bytes each. */
function parseBrokerCount(answer: Buffer): number {
  return answer.readInt32BE(12);
}
