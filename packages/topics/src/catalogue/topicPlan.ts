import type { TopicDefinition } from "./catalogue.ts";

/** Kafka's topic settings that the catalogue decides, as text. */
export type TopicSettings = Readonly<Record<string, string>>;

/** A topic as the cluster has it. */
export interface ClusterTopic {
  readonly name: string;
  readonly partitions: number;
  readonly replicas: number;
  /** All settings in force, and those somebody set on the topic itself. */
  readonly settings: TopicSettings;
  readonly ownSettings: TopicSettings;
}

export interface SettingChange {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string;
}

/** What has to be done for one topic. */
export type TopicStep =
  | {
      readonly kind: "create";
      readonly topic: string;
      readonly partitions: number;
      readonly replicas: number;
      readonly settings: TopicSettings;
    }
  | {
      readonly kind: "alter";
      readonly topic: string;
      readonly changes: readonly SettingChange[];
      readonly settings: TopicSettings;
    }
  | { readonly kind: "same"; readonly topic: string }
  | { readonly kind: "refused"; readonly topic: string; readonly reason: string };

/** What the settings depend on beside the catalogue. */
export interface ClusterFacts {
  readonly brokers: number;
  /** Messages after which a partition is written through to the disk, as digits; undefined leaves it to the cluster. */
  readonly flushMessages?: string | undefined;
}

const REPLICAS_WANTED = 3;

/**
 * The settings of a topic. LogAppendTime because versions are made of the broker's time; `uncompressed` because kafkajs
 * dies of a codec it does not know before any code of ours sees the record: the broker unpacks what others may send.
 */
export function settingsOf(topic: TopicDefinition, { brokers, flushMessages }: ClusterFacts): TopicSettings {
  return {
    "cleanup.policy": topic.cleanup,
    "compression.type": "uncompressed",
    ...(flushMessages === undefined ? {} : { "flush.messages": flushMessages }),
    "max.message.bytes": String(topic.maxMessageBytes),
    "message.timestamp.type": "LogAppendTime",
    "min.insync.replicas": replicasOf(brokers) >= REPLICAS_WANTED ? "2" : "1",
    "retention.ms": String(topic.retentionMs),
    // A replica that is behind becomes no leader: what was acknowledged would be gone, and its offsets given again.
    "unclean.leader.election.enable": "false",
  };
}

/** Compares the catalogue with a cluster. Pure; topics the catalogue does not name are left alone. */
export function diffTopics(
  definitions: readonly TopicDefinition[],
  cluster: readonly ClusterTopic[],
  facts: ClusterFacts,
): readonly TopicStep[] {
  const present = new Map(cluster.map((topic) => [topic.name, topic]));
  return definitions.map((definition) => {
    const topic = present.get(definition.name);
    const settings = settingsOf(definition, facts);
    return topic === undefined
      ? {
          kind: "create",
          topic: definition.name,
          partitions: definition.partitions,
          replicas: replicasOf(facts.brokers),
          settings,
        }
      : diffTopic(definition, topic, settings);
  });
}

function diffTopic(definition: TopicDefinition, topic: ClusterTopic, wanted: TopicSettings): TopicStep {
  if (topic.partitions !== definition.partitions) {
    return {
      kind: "refused",
      topic: topic.name,
      reason:
        `${topic.name} has ${topic.partitions} partitions and should have ${definition.partitions}. The number cannot ` +
        "change, for the records of one contact would move to another partition and lose their order. " +
        "Make a new generation of the topic and drain this one.",
    };
  }
  const changes = Object.entries(wanted)
    .filter(([name, value]) => topic.settings[name] !== value)
    .map(([name, to]) => ({ name, from: topic.settings[name], to }));
  return changes.length === 0
    ? { kind: "same", topic: topic.name }
    : // Kafka replaces all settings of a topic at once, so what an operator set beside ours goes along.
      { kind: "alter", topic: topic.name, changes, settings: { ...topic.ownSettings, ...wanted } };
}

function replicasOf(brokers: number): number {
  return Math.min(REPLICAS_WANTED, Math.max(1, brokers));
}
