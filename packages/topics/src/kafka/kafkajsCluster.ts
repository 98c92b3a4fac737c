import type { Kafka, KafkaMessage } from "kafkajs";

export interface FetchQuestion {
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

export interface FetchAnswer {
  readonly responses: readonly {
    readonly partitions: readonly { readonly messages: readonly KafkaMessage[] }[];
  }[];
}

/** The part of kafkajs' connections to a cluster that a read without a group needs. */
export interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /** Learns who leads its partitions. */
  addTargetTopic(topic: string): Promise<void>;
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, unknown>>;
  findBroker(node: { readonly nodeId: string }): Promise<{ fetch(question: FetchQuestion): Promise<FetchAnswer> }>;
}

type CreateCluster = (options: { readonly allowAutoTopicCreation: boolean }) => unknown;

const CREATE = "private:Kafka:createCluster";

/**
 * Opens what consumers and admins of kafkajs 2.2.4 are built on: it has no public way to read a partition without joining a group.
 * @throws Error when kafkajs is no longer built as this expects; its version is pinned.
 */
export function openCluster(kafka: Kafka): Cluster {
  const symbol = Object.getOwnPropertySymbols(kafka).find(({ description }) => description === CREATE);
  const create: unknown = symbol === undefined ? undefined : Reflect.get(kafka, symbol);
  const cluster = isCreate(create) ? create({ allowAutoTopicCreation: false }) : undefined;
  if (!isCluster(cluster)) throw new Error("kafkajs has other connections than 2.2.4: look again at openCluster");
  return cluster;
}

function isCreate(value: unknown): value is CreateCluster {
  return typeof value === "function";
}

const METHODS = ["connect", "disconnect", "addTargetTopic", "findLeaderForPartitions", "findBroker"] as const;

function isCluster(value: unknown): value is Cluster {
  if (typeof value !== "object" || value === null) return false;
  return METHODS.every((name) => typeof Reflect.get(value, name) === "function");
}
