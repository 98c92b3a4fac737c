import type { Logger } from "@headwater/kernel";
import type { Admin, FetchOffsetsPartition, Kafka } from "kafkajs";
import { type CommitNote, noteOf } from "../consumer/commitMetadata.ts";
import { withRight } from "../kafka/accessDenied.ts";
import { createKafkaClient, type SocketFactory } from "../kafka/kafkaClient.ts";
import { ReconnectingClient } from "../kafka/reconnectingClient.ts";
import type { KafkaAccess } from "../security/kafkaAccess.ts";
import { catalogue, type TopicDefinition } from "./catalogue.ts";
import { expectMissing } from "./clusterTopics.ts";
import type { TopicStep } from "./topicPlan.ts";
import { TopicPlans } from "./topicPlans.ts";

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
  /** Returns what `apply` would do. Changes nothing. A missing right is a KafkaAccessDenied among the causes of the error. */
  plan(definitions?: readonly TopicDefinition[]): Promise<readonly TopicStep[]>;
  /**
   * Creates what is missing, adds replicas, waits a minute for them, and alters settings that differ; refused topics are left as they are.
   * @returns what was done.
   */
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

/** Keeps one connection and takes a new one after any error. */
export function createTopicAdmin(options: TopicAdminOptions): TopicAdmin {
  const timeoutMs = options.timeoutMs ?? 15_000;
  const kafka: Kafka = createKafkaClient({ ...options, requestTimeoutMs: timeoutMs });
  /** Asking for a topic that is not there would make kafkajs ask again and again. */
  const knownTopics = new Set<string>();
  const client = new ReconnectingClient({ connect: () => connect(kafka), timeoutMs, logger: options.logger });

  const plans = new TopicPlans({ client, timeoutMs, flushMessages: options.flushMessages });
  return {
    plan: (definitions = catalogue) => plans.plan(definitions),
    apply: (definitions = catalogue) => plans.apply(definitions),
    async watermarks(topic) {
      const offsets = await client.ask((admin) =>
        withRight({ operation: "Describe", resource: "topic", name: topic }, async () => {
          if (!knownTopics.has(topic)) for (const name of await admin.listTopics()) knownTopics.add(name);
          if (knownTopics.has(topic)) return admin.fetchTopicOffsets(topic);
          await expectMissing(admin, topic);
          return [];
        }),
      );
      return offsets.map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }));
    },
    async committed(groupId, topics) {
      const answer = await client.ask((admin) =>
        withRight({ operation: "Describe", resource: "group", name: groupId }, () =>
          admin.fetchOffsets({ groupId, topics: [...topics] }),
        ),
      );
      return answer.flatMap(({ topic, partitions }) => partitions.map((one) => toCommitted(topic, one)));
    },
    async forgetGroups(groupIds) {
      await client.ask(async (admin) => {
        const { groups } = await admin.listGroups();
        const there = new Set(groups.map(({ groupId }) => groupId));
        const known = groupIds.filter((groupId) => there.has(groupId));
        if (known.length === 0) return;
        await withRight({ operation: "Delete", resource: "group", name: known.join(",") }, () =>
          admin.deleteGroups(known),
        );
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
