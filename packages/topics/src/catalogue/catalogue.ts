import { ACTIVITIES_TOPIC, CHANGE_TOPICS, DEAD_LETTERS_TOPIC, INTENTS_TOPIC, lanes } from "@headwater/contracts";

/** Definition of a topic: the cluster is compared with it by `planTopics`. */
export interface TopicDefinition {
  readonly name: string;
  /** Orders topics within one millisecond in versions; only topics whose records make versions have one. */
  readonly lane?: number;
  /** Fixed for ever: keys would move. Growth is a new generation under a new name, with a drain of the old one. */
  readonly partitions: number;
  readonly generation: number;
  /** A record is deleted at the latest after both: how long it is kept, and how long a segment is written to. */
  readonly retentionMs: number;
  readonly segmentMs: number;
  readonly cleanup: "delete" | "compact";
  readonly maxMessageBytes: number;
  /** The process that writes it. */
  readonly owner: "ingress" | "projector" | "worker" | "sender";
  /** Words that say what the message key is made of. */
  readonly keyText: string;
  /** Registry subjects its values may have; `*` at the end stands for any. */
  readonly subjects: readonly string[];
}

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

const fallback = {
  generation: 1,
  // Seven days at most, which erasure answers.
  retentionMs: 6 * DAY_MS,
  segmentMs: DAY_MS,
  cleanup: "delete",
  maxMessageBytes: 4 * MIB,
} as const;

const changes = {
  ...fallback,
  partitions: 4,
  owner: "projector",
  keyText: "partition the change came from",
} as const;

const INTENTS_PARTITIONS = 4;

/** Every topic of Headwater. */
export const catalogue: readonly TopicDefinition[] = [
  {
    ...fallback,
    name: "intake.records",
    lane: lanes["intake.records"],
    partitions: 8,
    owner: "ingress",
    keyText: "account and first identifier, or the account when a frame holds several contacts",
    subjects: ["intake.*"],
  },
  {
    ...fallback,
    name: "intake.bulk",
    lane: lanes["intake.bulk"],
    partitions: 4,
    owner: "worker",
    keyText: "account and first identifier, or the account when a frame holds several contacts",
    subjects: ["intake.*"],
  },
  ...[...CHANGE_TOPICS, ACTIVITIES_TOPIC].map((name) => ({ ...changes, name, subjects: [name] })),
  {
    ...fallback,
    name: DEAD_LETTERS_TOPIC,
    partitions: 4,
    owner: "projector",
    keyText: "account and record id",
    subjects: [DEAD_LETTERS_TOPIC],
  },
  {
    ...fallback,
    name: INTENTS_TOPIC,
    partitions: INTENTS_PARTITIONS,
    owner: "sender",
    keyText: "account",
    // Plain JSON: a sender needs no registry.
    subjects: [],
  },
];

/** @throws Error for a name that is not in the catalogue. */
export function topicNamed(name: string): TopicDefinition {
  const found = catalogue.find((topic) => topic.name === name);
  if (found === undefined) throw new Error(`no topic ${name} in the catalogue`);
  return found;
}
