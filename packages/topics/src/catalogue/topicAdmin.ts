import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@headwater/kernel";
import kafkajs, { type Admin, type FetchOffsetsPartition, type Kafka } from "kafkajs";
import { type CommitNote, noteOf } from "../consumer/commitMetadata.ts";
import { withRight } from "../kafka/accessDenied.ts";
import { createKafkaClient, type SocketFactory } from "../kafka/kafkaClient.ts";
import { ReconnectingClient } from "../kafka/reconnectingClient.ts";
import { unavailable } from "../kafka/unavailable.ts";
import type { KafkaAccess } from "../security/kafkaAccess.ts";
import { catalogue, type TopicDefinition } from "./catalogue.ts";
import { type ClusterView, carryOut, expectMissing, readCluster } from "./clusterTopics.ts";
import { diffTopics, type TopicStep } from "./topicPlan.ts";

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

const SETTLE_POLL_MS = 50;
const IN_SYNC_POLL_MS = 500;
/** Time that `apply` waits for new replicas. Those of large topics take longer: the next `apply` goes on from there. */
const IN_SYNC_WAIT_MS = 60_000;
const ROUNDS_MAX = 3;

/** Keeps one connection and takes a new one after any error. */
export function createTopicAdmin(options: TopicAdminOptions): TopicAdmin {
  const timeoutMs = options.timeoutMs ?? 15_000;
  const kafka: Kafka = createKafkaClient({ ...options, requestTimeoutMs: timeoutMs });
  /** Asking for a topic that is not there would make kafkajs ask again and again. */
  const knownTopics = new Set<string>();
  const client = new ReconnectingClient({ connect: () => connect(kafka), timeoutMs, logger: options.logger });

  const read = (definitions: readonly TopicDefinition[]) => (admin: Admin) =>
    readCluster(
      admin,
      definitions.map(({ name }) => name),
    );
  const stepsOf = (definitions: readonly TopicDefinition[], { topics, brokers }: ClusterView) =>
    diffTopics(definitions, topics, { brokers, flushMessages: options.flushMessages });

  async function plan(definitions: readonly TopicDefinition[]): Promise<readonly TopicStep[]> {
    return client.ask(async (admin) => {
      const steps = stepsOf(definitions, await read(definitions)(admin));
      for (const { kind, topic } of steps) if (kind === "create") await expectMissing(admin, topic);
      return steps;
    });
  }

  /** Returns whether none of the steps is open. While brokers learn of a new topic, one lists it that another denies, or its leader is not chosen. */
  async function isApplied(definitions: readonly TopicDefinition[], steps: readonly TopicStep[]): Promise<boolean> {
    const applied = new Set(steps.map(keyOf));
    try {
      return !stepsOf(definitions, await client.ask(read(definitions))).some((step) => applied.has(keyOf(step)));
    } catch (error) {
      if (isTopicUnsettled(error)) return false;
      throw error;
    }
  }

  /** A broker answers before it has applied a change to itself, and before the others know of it. */
  async function settled(definitions: readonly TopicDefinition[], steps: readonly TopicStep[]): Promise<void> {
    const deadlineMs = Date.now() + timeoutMs;
    while (!(await isApplied(definitions, steps))) {
      if (Date.now() > deadlineMs) throw unavailable("Kafka did not apply the topics' settings in time.", 1);
      await sleep(SETTLE_POLL_MS);
    }
  }

  /** Waits for the replicas of all partitions, up to a bound. */
  async function inSync(definitions: readonly TopicDefinition[]): Promise<void> {
    const deadlineMs = Date.now() + IN_SYNC_WAIT_MS;
    while (Date.now() < deadlineMs) {
      const { topics } = await client.ask(read(definitions));
      if (topics.every(({ partitions }) => partitions.every(({ replicas, inSync }) => inSync >= replicas.length)))
        return;
      await sleep(IN_SYNC_POLL_MS);
    }
  }

  /** Replicas come before the settings that need them, so there may be a second round. */
  async function apply(definitions: readonly TopicDefinition[]): Promise<readonly TopicStep[]> {
    const done: TopicStep[] = [];
    let planned = await plan(definitions);
    for (let round = 1; round <= ROUNDS_MAX; round++) {
      const open = planned.filter(isOpen);
      if (round === 1) done.push(...planned);
      else done.push(...open);
      if (open.length === 0) break;
      await client.ask((admin) => carryOut(admin, open, timeoutMs));
      await settled(definitions, open);
      if (open.every(({ kind }) => kind !== "reassign")) break;
      await inSync(definitions);
      planned = stepsOf(definitions, await client.ask(read(definitions)));
    }
    return done;
  }

  return {
    plan: (definitions = catalogue) => plan(definitions),
    apply: (definitions = catalogue) => apply(definitions),
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

function isOpen({ kind }: TopicStep): boolean {
  return kind !== "same" && kind !== "refused";
}

/** Names a step by what it changes. */
function keyOf(step: TopicStep): string {
  const changes = step.kind === "alter" ? step.changes.map(({ name, to }) => `${name}=${to}`) : [];
  return [step.kind, step.topic, ...changes].join(" ");
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
