import type { TopicDefinition } from "./catalogue.ts";

/** Kafka's topic settings that the catalogue decides, as text. */
export type TopicSettings = Readonly<Record<string, string>>;

/** A topic as the cluster has it. */
export interface ClusterTopic {
  readonly name: string;
  readonly partitions: number;
  /** The fewest that a partition has, and the fewest of them that are in sync. */
  readonly replicas: number;
  readonly inSync: number;
  /** All settings in force, and those somebody set on the topic itself. */
  readonly settings: TopicSettings;
  readonly ownSettings: TopicSettings;
}

export interface SettingChange {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string;
}

/** Step that has to be done for one topic. */
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

/** Facts that the plan depends on, beside the catalogue. */
export interface ClusterFacts {
  /** A new topic gets as many replicas, three at most. */
  readonly brokers: number;
  /** Messages after which a partition is written through to the disk, as digits; undefined leaves it to the cluster. */
  readonly flushMessages?: string | undefined;
}

/** Facts that the settings of one topic depend on, beside the catalogue. */
export interface TopicFacts extends Pick<ClusterFacts, "flushMessages"> {
  readonly minInSync: number;
}

const REPLICAS_WANTED = 3;
const IN_SYNC_WANTED = 2;
const MIN_INSYNC = "min.insync.replicas";

/**
 * The settings of a topic. LogAppendTime because versions are made of the broker's time; `uncompressed` because kafkajs
 * dies of a codec it does not know before any code of ours sees the record: the broker unpacks what others may send.
 */
export function settingsOf(topic: TopicDefinition, { minInSync, flushMessages }: TopicFacts): TopicSettings {
  return {
    "cleanup.policy": topic.cleanup,
    "compression.type": "uncompressed",
    ...(flushMessages === undefined ? {} : { "flush.messages": flushMessages }),
    "max.message.bytes": String(topic.maxMessageBytes),
    "message.timestamp.type": "LogAppendTime",
    [MIN_INSYNC]: String(minInSync),
    "retention.ms": String(topic.retentionMs),
    // Kafka deletes whole segments, each when its last record is past the retention: both together bound a record's life.
    "segment.ms": String(topic.segmentMs),
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
    return topic === undefined ? creationOf(definition, facts) : diffTopic(definition, topic, facts);
  });
}

function creationOf(definition: TopicDefinition, facts: ClusterFacts): TopicStep {
  const replicas = Math.min(REPLICAS_WANTED, Math.max(1, facts.brokers));
  const settings = settingsOf(definition, { ...facts, minInSync: minInSyncOf(replicas) });
  return { kind: "create", topic: definition.name, partitions: definition.partitions, replicas, settings };
}

function diffTopic(definition: TopicDefinition, topic: ClusterTopic, facts: ClusterFacts): TopicStep {
  const wanted = settingsOf(definition, { ...facts, minInSync: minInSyncNow(topic) });
  if (topic.partitions !== definition.partitions) {
    return {
      kind: "refused",
      topic: topic.name,
      reason:
        `${topic.name} has ${topic.partitions} partitions and should have ${definition.partitions}. The number cannot ` +
        "change, for the records of one contact would move to another partition and lose their order. " +
        "Create a new generation of the topic and drain this one.",
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

function minInSyncOf(replicas: number): number {
  return replicas >= REPLICAS_WANTED ? IN_SYNC_WANTED : 1;
}

/**
 * Follows the replicas the topic has, not the brokers there are: brokers that joined hold none of it, and one that is away lowers
 * nothing. More than are in sync is asked for only where it is so already: every write would fail.
 */
function minInSyncNow(topic: ClusterTopic): number {
  const wanted = minInSyncOf(topic.replicas);
  const isRaise = wanted > Number(topic.settings[MIN_INSYNC] ?? 1);
  return isRaise && topic.inSync < wanted ? 1 : wanted;
}
