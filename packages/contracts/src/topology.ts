import { lanes } from "./version.ts";

/** Records of intake; `state` folds them. Bulk imports have a stream of their own, so that they never stand before a live record. */
export const INTAKE_TOPICS = ["intake.records", "intake.bulk"] as const;
/** Change events of the state: the outbox is published on them. */
export const CHANGE_TOPICS = [
  "changes.contacts",
  "changes.memberships",
  "changes.orders",
  "changes.carts",
  "changes.supplements",
] as const;
/** Activities that something listens for, under the contacts they were applied to: what starts runs of orchestrations, and what they wait for. */
export const ACTIVITIES_TOPIC = "changes.activities";
/** Changes by which runs of orchestrations start, unless their write suppressed it. */
export const TRIGGER_TOPICS = ["changes.memberships", "changes.orders", "changes.carts"] as const;
/** Rejected records, for whoever wants to hear of them: no group of ours reads it. */
export const DEAD_LETTERS_TOPIC = "deadletters";

export type TopicName =
  | (typeof INTAKE_TOPICS)[number]
  | (typeof CHANGE_TOPICS)[number]
  | typeof ACTIVITIES_TOPIC
  | typeof DEAD_LETTERS_TOPIC;
export type StoreName = "postgres" | "clickhouse";

/** One consumer group: what it reads, and where its results go. */
export interface ConsumerGroup {
  readonly group: string;
  readonly reads: readonly TopicName[];
  readonly writes: readonly (StoreName | TopicName)[];
  /** The process that runs it. */
  readonly process: "projector" | "automation";
  /** Counts the projections that were built again next to the former one, each under a group id of its own. */
  readonly generation: number;
}

/**
 * Every consumer group. A further one is a row here and a handler in its process; lag, `headwater status`, freshness, watermarks,
 * the consistency checks and the picture in the README follow.
 */
export const topology = [
  // Its change events and dead letters reach their topics by the outbox and the relay.
  {
    group: "state",
    reads: INTAKE_TOPICS,
    writes: ["postgres", ...CHANGE_TOPICS, ACTIVITIES_TOPIC, DEAD_LETTERS_TOPIC],
    process: "projector",
    generation: 1,
  },
  { group: "activities", reads: INTAKE_TOPICS, writes: ["clickhouse"], process: "projector", generation: 1 },
  { group: "history", reads: CHANGE_TOPICS, writes: ["clickhouse"], process: "projector", generation: 1 },
  {
    group: "products",
    reads: ["changes.orders", "changes.carts"],
    writes: ["postgres"],
    process: "projector",
    generation: 1,
  },
  { group: "accounting", reads: INTAKE_TOPICS, writes: ["postgres"], process: "projector", generation: 1 },
  {
    group: "automation",
    reads: [ACTIVITIES_TOPIC, "changes.contacts", ...TRIGGER_TOPICS],
    writes: ["postgres"],
    process: "automation",
    generation: 1,
  },
] as const satisfies readonly ConsumerGroup[];

/** Names a group in `stream_offsets`, metrics and answers. */
export type GroupName = (typeof topology)[number]["group"];

export const GROUP_NAMES: readonly GroupName[] = topology.map(({ group }) => group);

/** Names the groups that the projector runs. */
export type ProjectorGroup = Extract<(typeof topology)[number], { readonly process: "projector" }>["group"];

export const PROJECTOR_GROUPS: readonly ProjectorGroup[] = topology.flatMap((row) =>
  row.process === "projector" ? [row.group] : [],
);

/** The groups that carry promises of their own and are asked for by name. */
export const STATE_GROUP: GroupName = "state";
export const ACTIVITIES_GROUP: GroupName = "activities";
export const HISTORY_GROUP: GroupName = "history";
export const PRODUCTS_GROUP: GroupName = "products";
export const ACCOUNTING_GROUP: GroupName = "accounting";
export const AUTOMATION_GROUP: GroupName = "automation";

/** @throws Error for a group that the topology does not have. */
export function topicsReadBy(group: GroupName): readonly TopicName[] {
  return rowOf(group).reads;
}

/** The group's id in Kafka. @throws Error for a group that the topology does not have. */
export function kafkaGroupOf(group: GroupName): string {
  const { generation } = rowOf(group);
  return generation === 1 ? `headwater.${group}` : `headwater.${group}.g${generation}`;
}

/** Groups that write the store and read at least one of the topics. */
export function groupsThatWrite(store: StoreName, from: readonly TopicName[]): readonly GroupName[] {
  const rows: readonly (ConsumerGroup & { readonly group: GroupName })[] = topology;
  return rows
    .filter(({ reads, writes }) => writes.includes(store) && reads.some((topic) => from.includes(topic)))
    .map(({ group }) => group);
}

const STREAM_OF_TOPIC: ReadonlyMap<string, number> = new Map(INTAKE_TOPICS.map((topic) => [topic, lanes[topic]]));

/** The stream of an intake topic; any other name is taken for the live one. */
export function streamOfTopic(topic: string): number {
  return STREAM_OF_TOPIC.get(topic) ?? lanes["intake.records"];
}

/** @returns undefined for a stream that is no topic. */
export function topicOfStream(stream: number): (typeof INTAKE_TOPICS)[number] | undefined {
  return INTAKE_TOPICS.find((topic) => lanes[topic] === stream);
}

function rowOf(group: GroupName): ConsumerGroup {
  const row = topology.find((one) => one.group === group);
  if (row === undefined) throw new Error(`no group ${group} in the topology`);
  return row;
}
