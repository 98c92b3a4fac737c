import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@headwater/kernel";
import kafkajs, { type Admin, type FetchOffsetsPartition, type Kafka } from "kafkajs";
import { type CommitNote, noteOf } from "../consumer/commitMetadata.ts";
import { createKafkaClient, type SocketFactory } from "../kafka/kafkaClient.ts";
import { ReconnectingClient } from "../kafka/reconnectingClient.ts";
import { unavailable } from "../kafka/unavailable.ts";
import type { KafkaAccess } from "../security/kafkaAccess.ts";
import { catalogue, type TopicDefinition } from "./catalogue.ts";
import { type ClusterTopic, diffTopics, type TopicStep } from "./topicPlan.ts";

export interface TopicAdminOptions extends KafkaAccess {
  readonly clientId: string;
  readonly logger: Logger;
  /** Bound of one call; default 15 s. */
  readonly timeoutMs?: number;
  /** `flush.messages` of every topic, as digits: 1 makes an acknowledgement of one broker mean its disk. Default: the cluster's. */
  readonly flushMessages?: string | undefined;
  readonly socketFactory?: SocketFactory;
}

/** First kept offset and the offset the next record will have. */
export interface Watermarks {
  readonly partition: number;
  readonly low: number;
  readonly high: number;
}

/** Questions and orders to a cluster. Every call throws HeadwaterError 503, retriable, when Kafka is away. */
export interface TopicAdmin {
  /** Returns what `apply` would do. Changes nothing. */
  plan(definitions?: readonly TopicDefinition[]): Promise<readonly TopicStep[]>;
  /** Creates and alters what differs; refused topics are left as they are. @returns what was done. */
  apply(definitions?: readonly TopicDefinition[]): Promise<readonly TopicStep[]>;
  /** Returns the watermarks by partition; none for a topic that is not there. */
  watermarks(topic: string): Promise<readonly Watermarks[]>;
  /** Offsets the group committed (advisory: the truth is in Postgres); -1 where it did not. */
  committed(groupId: string, topics: readonly string[]): Promise<readonly CommittedOffset[]>;
  /** Deletes consumer groups with their commits; one that is not there is gone already. @throws while a member is alive. */
  forgetGroups(groupIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface CommittedOffset extends CommitNote {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

const DYNAMIC_TOPIC_CONFIG = 1;
const SETTLE_POLL_MS = 50;

/** Keeps one connection and takes a new one after any error. */
export function createTopicAdmin(options: TopicAdminOptions): TopicAdmin {
  const timeoutMs = options.timeoutMs ?? 15_000;
  const kafka: Kafka = createKafkaClient({ ...options, requestTimeoutMs: timeoutMs });
  /** Asking for a topic that is not there would make kafkajs ask again and again. */
  const knownTopics = new Set<string>();
  const client = new ReconnectingClient({ connect: () => connect(kafka), timeoutMs, logger: options.logger });

  async function steps(definitions: readonly TopicDefinition[]): Promise<readonly TopicStep[]> {
    return client.ask(async (admin) => {
      const { brokers } = await admin.describeCluster();
      const present = new Set(await admin.listTopics());
      const names = definitions.map(({ name }) => name).filter((name) => present.has(name));
      const { flushMessages } = options;
      return diffTopics(definitions, await describe(admin, names), { brokers: brokers.length, flushMessages });
    });
  }

  /** Returns whether all is applied. While brokers learn of a new topic, one lists it that another denies, or its leader is not chosen. */
  async function isApplied(definitions: readonly TopicDefinition[]): Promise<boolean> {
    try {
      return !(await steps(definitions)).some(({ kind }) => kind === "create" || kind === "alter");
    } catch (error) {
      if (isTopicUnsettled(error)) return false;
      throw error;
    }
  }

  /** A broker answers before it has applied a change to itself, and before the others know of it. */
  async function settled(definitions: readonly TopicDefinition[]): Promise<void> {
    const deadlineMs = Date.now() + timeoutMs;
    while (!(await isApplied(definitions))) {
      if (Date.now() > deadlineMs) throw unavailable("Kafka did not apply the topics' settings in time.", 1);
      await sleep(SETTLE_POLL_MS);
    }
  }

  return {
    plan: (definitions = catalogue) => steps(definitions),
    async apply(definitions = catalogue) {
      const planned = await steps(definitions);
      await client.ask((admin) => carryOut(admin, planned, timeoutMs));
      await settled(definitions);
      return planned;
    },
    async watermarks(topic) {
      const offsets = await client.ask(async (admin) => {
        if (!knownTopics.has(topic)) {
          for (const name of await admin.listTopics()) knownTopics.add(name);
        }
        return knownTopics.has(topic) ? admin.fetchTopicOffsets(topic) : [];
      });
      return offsets.map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }));
    },
    async committed(groupId, topics) {
      const answer = await client.ask((admin) => admin.fetchOffsets({ groupId, topics: [...topics] }));
      return answer.flatMap(({ topic, partitions }) => partitions.map((one) => toCommitted(topic, one)));
    },
    async forgetGroups(groupIds) {
      await client.ask(async (admin) => {
        const { groups } = await admin.listGroups();
        const there = new Set(groups.map(({ groupId }) => groupId));
        const known = groupIds.filter((groupId) => there.has(groupId));
        if (known.length > 0) await admin.deleteGroups(known);
      });
    },
    close: () => client.close(),
  };
}

function toCommitted(topic: string, { partition, offset, metadata }: FetchOffsetsPartition): CommittedOffset {
  return { topic, partition, offset: Number(offset), ...noteOf(metadata) };
}

async function connect(kafka: Kafka): Promise<Admin> {
  const admin = kafka.admin();
  await admin.connect();
  return admin;
}

const UNSETTLED: ReadonlySet<string> = new Set(["UNKNOWN_TOPIC_OR_PARTITION", "LEADER_NOT_AVAILABLE"]);

function isTopicUnsettled(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof kafkajs.KafkaJSProtocolError && UNSETTLED.has(cause.type);
}

async function describe(admin: Admin, names: readonly string[]): Promise<readonly ClusterTopic[]> {
  if (names.length === 0) return [];
  const { topics } = await admin.fetchTopicMetadata({ topics: [...names] });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  return topics.map(({ name, partitions }) => {
    const entries = resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? [];
    const own = entries.filter(({ configSource }) => Number(configSource) === DYNAMIC_TOPIC_CONFIG);
    return {
      name,
      partitions: partitions.length,
      replicas: fewest(partitions.map((one) => one.replicas)),
      inSync: fewest(partitions.map(({ isr }) => isr)),
      settings: Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue])),
      ownSettings: Object.fromEntries(own.map(({ configName, configValue }) => [configName, configValue])),
    };
  });
}

function fewest(nodes: readonly (readonly number[])[]): number {
  return nodes.length === 0 ? 0 : Math.min(...nodes.map(({ length }) => length));
}

async function carryOut(admin: Admin, steps: readonly TopicStep[], timeoutMs: number): Promise<void> {
  const creations = steps.filter((step) => step.kind === "create");
  if (creations.length > 0) {
    await admin.createTopics({
      // kafkajs gives up when the broker it asks does not know the topic yet; the caller waits for all of it.
      waitForLeaders: false,
      timeout: timeoutMs,
      topics: creations.map(({ topic, partitions, replicas, settings }) => ({
        topic,
        numPartitions: partitions,
        replicationFactor: replicas,
        configEntries: toEntries(settings),
      })),
    });
  }
  const alterations = steps.filter((step) => step.kind === "alter");
  if (alterations.length > 0) {
    await admin.alterConfigs({
      validateOnly: false,
      resources: alterations.map(({ topic, settings }) => ({
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name: topic,
        configEntries: toEntries(settings),
      })),
    });
  }
}

function toEntries(settings: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(settings).map(([name, value]) => ({ name, value }));
}
