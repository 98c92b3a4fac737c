import type { Logger } from "@headwater/kernel";
import kafkajs, { type Kafka, type KafkaMessage } from "kafkajs";
import { toFrame } from "../consumer/kafkaFrame.ts";
import type { LogFrame } from "../consumer/partitionFeed.ts";
import type { PartitionOffset } from "../consumer/streamSource.ts";
import type { KafkaAccess } from "../security/kafkaAccess.ts";
import { createKafkaClient, type SocketFactory } from "./kafkaClient.ts";
import { ReconnectingClient } from "./reconnectingClient.ts";

const CREATE = "private:Kafka:createCluster";

const METHODS = ["connect", "disconnect", "addTargetTopic", "findLeaderForPartitions", "findBroker"] as const;

export interface LogReaderOptions extends KafkaAccess {
  readonly clientId: string;
  readonly logger: Logger;
  /** Bound of one read; default 10 s. */
  readonly timeoutMs?: number;
  readonly socketFactory?: SocketFactory;
}

/** Reads frames from any place of the log, without a group: to see whether it still is the log that was read. */
export interface LogReader {
  /**
   * Frames from `offset` on, as many as fit into `bytesMax`, at least one; empty at the log's end and outside of it.
   * @throws HeadwaterError 503, retriable, when Kafka is away.
   */
  frames(at: PartitionOffset, bytesMax?: number): Promise<readonly LogFrame[]>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const WAIT_MS = 200;
/** Kafka sends one whole batch however small the bound is, so a single frame is asked for with the least. */
const ONE_FRAME_BYTES = 1;

/** Keeps its connections and takes new ones after any error. */
export function createLogReader(options: LogReaderOptions): LogReader {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const kafka = createKafkaClient({ ...options, requestTimeoutMs: timeoutMs });
  const client = new ReconnectingClient({ connect: () => connect(kafka), timeoutMs, logger: options.logger });
  return {
    async frames(at, bytesMax = ONE_FRAME_BYTES) {
      const messages = await client.ask((connection) => fetchFrom(connection, at, bytesMax));
      return messages.map(toFrame).filter(({ offset }) => offset >= at.offset);
    },
    close: () => client.close(),
  };
}

type Broker = Awaited<ReturnType<Cluster["findBroker"]>>;

interface Connection {
  /** Asks the leader of a partition. */
  fetch(at: PartitionOffset, question: FetchQuestion): Promise<FetchAnswer>;
  disconnect(): Promise<void>;
}

/**
 * Connects to a cluster. Leaders are found, and asked for the first time, one after the other: kafkajs forgets connections that two
 * questions open at the same time, and a process with a forgotten one does not end.
 */
async function connect(kafka: Kafka): Promise<Connection> {
  const cluster = openCluster(kafka);
  await cluster.connect();
  const connected = new WeakSet<Broker>();
  let last: Promise<unknown> = Promise.resolve();
  const findOrAsk = async (at: PartitionOffset, question: FetchQuestion) => {
    const broker = await findLeader(cluster, at);
    if (connected.has(broker)) return { broker };
    const answer = await broker.fetch(question);
    connected.add(broker);
    return { broker, answer };
  };
  return {
    async fetch(at, question) {
      const next = last.then(() => findOrAsk(at, question));
      last = next.catch(() => undefined);
      const { broker, answer } = await next;
      return answer ?? broker.fetch(question);
    },
    disconnect: () => cluster.disconnect(),
  };
}

async function findLeader(
  cluster: Cluster,
  { topic, partition }: Pick<PartitionOffset, "topic" | "partition">,
): Promise<Broker> {
  await cluster.addTargetTopic(topic);
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  if (nodeId === undefined || nodeId === "-1") throw new Error(`${topic}/${partition} has no leader`);
  return cluster.findBroker({ nodeId });
}

async function fetchFrom(
  connection: Connection,
  at: PartitionOffset,
  bytesMax: number,
): Promise<readonly KafkaMessage[]> {
  const { topic, partition, offset } = at;
  const partitions = [{ partition, fetchOffset: String(offset), maxBytes: bytesMax }];
  try {
    const answer = await connection.fetch(at, {
      topics: [{ topic, partitions }],
      maxWaitTime: WAIT_MS,
      minBytes: 1,
      maxBytes: bytesMax,
      isolationLevel: 0,
    });
    return answer.responses.flatMap((ofTopic) => ofTopic.partitions.flatMap(({ messages }) => [...messages]));
  } catch (error) {
    if (error instanceof kafkajs.KafkaJSProtocolError && error.type === "OFFSET_OUT_OF_RANGE") return [];
    throw error;
  }
}

interface FetchQuestion {
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly {
      readonly partition: number;
      readonly fetchOffset: string;
      readonly maxBytes: number;
    }[];
  }[];
  readonly maxWaitTime: number;
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly isolationLevel: number;
}

interface FetchAnswer {
  readonly responses: readonly {
    readonly partitions: readonly { readonly messages: readonly KafkaMessage[] }[];
  }[];
}

/** The part of kafkajs' connections to a cluster that a read without a group needs. */
interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /** Learns who leads its partitions. */
  addTargetTopic(topic: string): Promise<void>;
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, unknown>>;
  findBroker(node: { readonly nodeId: string }): Promise<{ fetch(question: FetchQuestion): Promise<FetchAnswer> }>;
}

type CreateCluster = (options: { readonly allowAutoTopicCreation: boolean }) => unknown;

/**
 * Opens what consumers and admins of kafkajs 2.2.4 are built on: it has no public way to read a partition without joining a group.
 * @throws Error when kafkajs is no longer built as this expects; its version is pinned.
 */
function openCluster(kafka: Kafka): Cluster {
  const symbol = Object.getOwnPropertySymbols(kafka).find(({ description }) => description === CREATE);
  const create: unknown = symbol === undefined ? undefined : Reflect.get(kafka, symbol);
  const cluster = isCreate(create) ? create({ allowAutoTopicCreation: false }) : undefined;
  if (!isCluster(cluster)) throw new Error("kafkajs has other connections than 2.2.4: look again at openCluster");
  return cluster;
}

function isCreate(value: unknown): value is CreateCluster {
  return typeof value === "function";
}

function isCluster(value: unknown): value is Cluster {
  if (typeof value !== "object" || value === null) return false;
  return METHODS.every((name) => typeof Reflect.get(value, name) === "function");
}
