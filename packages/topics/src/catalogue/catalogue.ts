import { lanes } from "@headwater/contracts";

/** What a topic is, in code: the cluster is compared with it by `planTopics`. */
export interface TopicDefinition {
  readonly name: string;
  /** Orders topics within one millisecond in versions; only topics whose records make versions have one. */
  readonly lane?: number;
  /** Fixed for ever: keys would move. Growth is a new generation under a new name, with a drain of the old one. */
  readonly partitions: number;
  readonly generation: number;
  readonly retentionMs: number;
  readonly cleanup: "delete" | "compact";
  readonly maxMessageBytes: number;
  /** The process that writes it. */
  readonly owner: "ingress" | "projector" | "worker";
  /** What the message key is made of. */
  readonly keyText: string;
  /** Registry subjects its values may have; `*` at the end stands for any. */
  readonly subjects: readonly string[];
}

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

const usual = {
  generation: 1,
  retentionMs: 7 * DAY_MS,
  cleanup: "delete",
  maxMessageBytes: 4 * MIB,
} as const;

const changes = {
  ...usual,
  partitions: 4,
  owner: "projector",
  keyText: "partition the change came from",
} as const;

/** Every topic of Headwater. */
export const catalogue: readonly TopicDefinition[] = [
  {
    ...usual,
    name: "intake.records",
    lane: lanes["intake.records"],
    partitions: 8,
    owner: "ingress",
    keyText: "account and first identifier, or the account when a frame holds several contacts",
    subjects: ["intake.*"],
  },
  {
    ...usual,
    name: "intake.bulk",
    lane: lanes["intake.bulk"],
    partitions: 4,
    owner: "worker",
    keyText: "account and first identifier, or the account when a frame holds several contacts",
    subjects: ["intake.*"],
  },
  { ...changes, name: "changes.contacts", subjects: ["changes.contacts"] },
  { ...changes, name: "changes.memberships", subjects: ["changes.memberships"] },
  { ...changes, name: "changes.orders", subjects: ["changes.orders"] },
  { ...changes, name: "changes.carts", subjects: ["changes.carts"] },
  { ...changes, name: "changes.supplements", subjects: ["changes.supplements"] },
  {
    ...usual,
    name: "deadletters",
    partitions: 4,
    owner: "projector",
    keyText: "account and record id",
    subjects: ["deadletters"],
  },
];

/** @throws Error for a name that is not in the catalogue. */
export function topicNamed(name: string): TopicDefinition {
  const found = catalogue.find((topic) => topic.name === name);
  if (found === undefined) throw new Error(`no topic ${name} in the catalogue`);
  return found;
}
