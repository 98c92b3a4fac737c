import type { TopicDefinition } from "./catalogue.ts";

/** Kafka's topic settings that the catalogue decides, as text. */
export type TopicSettings = Readonly<Record<string, string>>;

/** A topic as the cluster has it. */
export interface ClusterTopic {
  readonly name: string;
  readonly partitions: readonly ClusterPartition[];
  /** All settings in force, and those somebody set on the topic itself. */
  readonly settings: TopicSettings;
  readonly ownSettings: TopicSettings;
}

export interface ClusterPartition extends PartitionReplicas {
  /** Replicas that hold all that was acknowledged. */
  readonly inSync: number;
}

export interface SettingChange {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string;
}

/** Step that has to be done for one topic. A topic may have two: replicas first, then settings. */
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
  /** Replicas are added to these partitions: they have fewer than the brokers there are allow. */
  | {
      readonly kind: "reassign";
      readonly topic: string;
      readonly replicas: number;
      readonly partitions: readonly PartitionReplicas[];
    }
  /** `note` says what differs and needs nothing to be done. */
  | { readonly kind: "same"; readonly topic: string; readonly note?: string }
  | { readonly kind: "refused"; readonly topic: string; readonly reason: string };

/** Facts that the plan depends on, next to the catalogue. */
export interface ClusterFacts {
  /** Ids of the brokers that are alive. A topic gets as many replicas, three at most. */
  readonly brokers: readonly number[];
  /** Messages after which a partition is written through to the disk, as digits; undefined leaves it to the cluster. */
  readonly flushMessages?: string | undefined;
}

/** Facts that the settings of one topic depend on, next to the catalogue. */
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
  return definitions.flatMap((definition) => {
    const topic = present.get(definition.name);
    return topic === undefined ? [creationOf(definition, facts)] : diffTopic(definition, topic, facts);
  });
}

function creationOf(definition: TopicDefinition, facts: ClusterFacts): TopicStep {
  const replicas = replicasOn(facts.brokers);
  const settings = settingsOf(definition, { ...facts, minInSync: minInSyncOf(replicas) });
  return { kind: "create", topic: definition.name, partitions: definition.partitions, replicas, settings };
}

function diffTopic(definition: TopicDefinition, topic: ClusterTopic, facts: ClusterFacts): readonly TopicStep[] {
  const partitions = topic.partitions.length;
  if (partitions < definition.partitions) {
    const reason =
      `${topic.name} has ${partitions} partitions and should have ${definition.partitions}. The number cannot ` +
      "change, for the records of one contact would move to another partition and lose their order. " +
      "Create a new generation of the topic and drain this one.";
    return [{ kind: "refused", topic: topic.name, reason }];
  }
  const steps = [...reassignmentOf(topic, facts), ...alterationOf(definition, topic, facts)];
  if (steps.length > 0) return steps;
  const note = noteOf(definition, topic);
  return [{ kind: "same", topic: topic.name, ...(note !== undefined && { note }) }];
}

function reassignmentOf(topic: ClusterTopic, { brokers }: ClusterFacts): TopicStep[] {
  const replicas = replicasOn(brokers);
  const partitions = addReplicas(topic.partitions, { replicas, brokers });
  return partitions.length === 0 ? [] : [{ kind: "reassign", topic: topic.name, replicas, partitions }];
}

function alterationOf(definition: TopicDefinition, topic: ClusterTopic, facts: ClusterFacts): TopicStep[] {
  const wanted = settingsOf(definition, { ...facts, minInSync: minInSyncNow(topic) });
  const changes = Object.entries(wanted)
    .filter(([name, value]) => topic.settings[name] !== value)
    .map(([name, to]) => ({ name, from: topic.settings[name], to }));
  if (changes.length === 0) return [];
  // Kafka replaces all settings of a topic at once, so those of an operator are sent along.
  return [{ kind: "alter", topic: topic.name, changes, settings: { ...topic.ownSettings, ...wanted } }];
}

/** Keys use the partitions of the catalogue alone, so that partitions added by hand move no contact. They are read, and stay empty. */
function noteOf(definition: TopicDefinition, { partitions }: ClusterTopic): string | undefined {
  const surplus = partitions.length - definition.partitions;
  const lagging = partitions.filter(({ replicas, inSync }) => inSync < replicas.length).length;
  const notes = [
    surplus > 0
      ? `${partitions.length} partitions, of which ${surplus} are unused: the catalogue has ${definition.partitions}`
      : "",
    lagging > 0 ? `${lagging} partitions have replicas that are not in sync` : "",
  ];
  return notes.filter((note) => note !== "").join("; ") || undefined;
}

function replicasOn(brokers: readonly number[]): number {
  return Math.min(REPLICAS_WANTED, Math.max(1, brokers.length));
}

function minInSyncOf(replicas: number): number {
  return replicas >= REPLICAS_WANTED ? IN_SYNC_WANTED : 1;
}

/**
 * Follows the replicas the topic has, not the brokers there are: brokers that joined hold none of it, and one that is away lowers
 * nothing. More than are in sync is asked for only where it is so already: every write would fail.
 */
function minInSyncNow({ partitions, settings }: ClusterTopic): number {
  const wanted = minInSyncOf(fewest(partitions, ({ replicas }) => replicas.length));
  const isRaise = wanted > Number(settings[MIN_INSYNC] ?? 1);
  return isRaise && fewest(partitions, ({ inSync }) => inSync) < wanted ? 1 : wanted;
}

function fewest(partitions: readonly ClusterPartition[], of: (partition: ClusterPartition) => number): number {
  return partitions.length === 0 ? 0 : Math.min(...partitions.map(of));
}

/** Brokers that hold a partition, the preferred leader first. */
interface PartitionReplicas {
  readonly partition: number;
  readonly replicas: readonly number[];
}

interface ReplicasWanted {
  /** Replicas that each partition should have at least. */
  readonly replicas: number;
  /** Ids of the brokers that are alive. */
  readonly brokers: readonly number[];
}

/**
 * Adds brokers to partitions that have too few replicas, those with the fewest replicas of the topic first. Nothing is moved or taken away. A
 * partition that has a replica on a broker that is away is left alone: nobody knows whether the others can be copied from.
 * @returns the partitions that change, each with all its replicas.
 */
function addReplicas(partitions: readonly PartitionReplicas[], wanted: ReplicasWanted): readonly PartitionReplicas[] {
  const load = new Map(wanted.brokers.map((broker) => [broker, 0]));
  const count = (broker: number) => load.set(broker, (load.get(broker) ?? 0) + 1);
  for (const { replicas } of partitions) for (const broker of replicas) count(broker);
  const changed: PartitionReplicas[] = [];
  for (const { partition, replicas } of partitions) {
    const isComplete = replicas.length >= wanted.replicas;
    if (isComplete || !replicas.every((broker) => wanted.brokers.includes(broker))) continue;
    const free = wanted.brokers
      .filter((broker) => !replicas.includes(broker))
      .toSorted((left, right) => (load.get(left) ?? 0) - (load.get(right) ?? 0) || left - right);
    const added = free.slice(0, wanted.replicas - replicas.length);
    for (const broker of added) count(broker);
    if (added.length > 0) changed.push({ partition, replicas: [...replicas, ...added] });
  }
  return changed;
}
