import kafkajs, { type Admin } from "kafkajs";
import { errorsOf, KafkaAccessDenied, withRight } from "../kafka/accessDenied.ts";
import type { ClusterTopic, TopicStep } from "./topicPlan.ts";

const DYNAMIC_TOPIC_CONFIG = 1;
const TOPIC = kafkajs.ConfigResourceTypes.TOPIC;

/** Topics of a cluster as it describes them. */
export interface ClusterView {
  /** Ids of the brokers that are alive. */
  readonly brokers: readonly number[];
  readonly topics: readonly ClusterTopic[];
}

/** Reads the named topics; those that the cluster does not have, or does not show, are left out. */
export async function readCluster(admin: Admin, names: readonly string[]): Promise<ClusterView> {
  const { brokers } = await admin.describeCluster();
  const present = new Set(await admin.listTopics());
  return {
    brokers: brokers.map(({ nodeId }) => nodeId),
    topics: await describe(
      admin,
      names.filter((name) => present.has(name)),
    ),
  };
}

/** Kafka does not list a topic that the caller may not describe: asked for by its name, it says so. @throws KafkaAccessDenied. */
export async function expectMissing(admin: Admin, topic: string): Promise<void> {
  const ask = () =>
    withRight({ operation: "Describe", resource: "topic", name: topic }, () =>
      admin.fetchTopicMetadata({ topics: [topic] }),
    );
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof kafkajs.KafkaJSProtocolError) || error.type !== "UNKNOWN_TOPIC_OR_PARTITION") throw error;
  }
}

async function describe(admin: Admin, names: readonly string[]): Promise<readonly ClusterTopic[]> {
  if (names.length === 0) return [];
  const { topics } = await admin.fetchTopicMetadata({ topics: [...names] });
  const readSettings = (some: readonly string[]) =>
    admin.describeConfigs({ includeSynonyms: false, resources: some.map((name) => ({ type: TOPIC, name })) });
  const right = async () => {
    const name = await firstDenied(names, (one) => readSettings([one]));
    return { operation: "DescribeConfigs", resource: "topic", name } as const;
  };
  const { resources } = await withRight(right, () => readSettings(names));
  return topics.map(({ name, partitions }) => {
    const entries = resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? [];
    const own = entries.filter(({ configSource }) => Number(configSource) === DYNAMIC_TOPIC_CONFIG);
    return {
      name,
      partitions: partitions
        .map(({ partitionId, replicas, isr }) => ({ partition: partitionId, replicas, inSync: isr.length }))
        .toSorted((left, right) => left.partition - right.partition),
      settings: Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue])),
      ownSettings: Object.fromEntries(own.map(({ configName, configValue }) => [configName, configValue])),
    };
  });
}

/** Creates, reassigns and alters as planned. The brokers apply it in their own time. */
export async function carryOut(admin: Admin, steps: readonly TopicStep[], timeoutMs: number): Promise<void> {
  await create(admin, steps, timeoutMs);
  await reassign(admin, steps, timeoutMs);
  await alter(admin, steps);
}

async function create(admin: Admin, steps: readonly TopicStep[], timeout: number): Promise<void> {
  const creations = steps.filter((step) => step.kind === "create");
  if (creations.length === 0) return;
  const topics = creations.map(({ topic, partitions, replicas, settings }) => ({
    topic,
    numPartitions: partitions,
    replicationFactor: replicas,
    configEntries: toEntries(settings),
  }));
  // kafkajs gives up when the broker it asks does not know the topic yet; the caller waits for all of it.
  await admin.createTopics({ waitForLeaders: false, timeout, topics }).catch((error: unknown) => {
    const denied = errorsOf(error).find((one) => one instanceof Error && Reflect.get(one, "type") === DENIED);
    if (denied === undefined || !(denied instanceof Error)) throw error;
    throw new KafkaAccessDenied({ operation: "Create", resource: "topic", name: String(Reflect.get(denied, "topic")) });
  });
}

const DENIED = "TOPIC_AUTHORIZATION_FAILED";

async function reassign(admin: Admin, steps: readonly TopicStep[], timeout: number): Promise<void> {
  const reassignments = steps.filter((step) => step.kind === "reassign");
  if (reassignments.length === 0) return;
  const topics = reassignments.map(({ topic, partitions }) => ({
    topic,
    partitionAssignment: partitions.map(({ partition, replicas }) => ({ partition, replicas: [...replicas] })),
  }));
  await withRight({ operation: "Alter", resource: "cluster" }, () =>
    admin.alterPartitionReassignments({ topics, timeout }),
  );
}

async function alter(admin: Admin, steps: readonly TopicStep[]): Promise<void> {
  const alterations = steps.filter((step) => step.kind === "alter");
  if (alterations.length === 0) return;
  const write = (some: readonly (typeof alterations)[number][], validateOnly: boolean) =>
    admin.alterConfigs({
      validateOnly,
      resources: some.map(({ topic, settings }) => ({ type: TOPIC, name: topic, configEntries: toEntries(settings) })),
    });
  const right = async () => {
    const trial = (topic: string) =>
      write(
        alterations.filter((one) => one.topic === topic),
        true,
      );
    const names = alterations.map(({ topic }) => topic);
    return { operation: "AlterConfigs", resource: "topic", name: await firstDenied(names, trial) } as const;
  };
  await withRight(right, () => write(alterations, false));
}

/** kafkajs does not say which of several topics was refused. */
async function firstDenied(names: readonly string[], call: (name: string) => Promise<unknown>): Promise<string> {
  for (const name of names) {
    const isAllowed = await call(name).then(
      () => true,
      () => false,
    );
    if (!isAllowed) return name;
  }
  return names.join(", ");
}

function toEntries(settings: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(settings).map(([name, value]) => ({ name, value }));
}
