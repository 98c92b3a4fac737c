import type { PublishedIntents } from "@headwater/contracts";
import type { OutboxPosition } from "@headwater/postgres/outbox/outbox";
import type { OpenOffset } from "@headwater/postgres/streams/streamOffsets";

/** An offset that a consumer group has committed to Kafka. */
export interface GroupCommit {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** Next offset; commits are made only after Postgres has stored it. */
  readonly offset: number;
  /** Number of the log that was read: one more each time that another was adopted. Undefined for commits that are not of our processes. */
  readonly generation?: number | undefined;
  /** Postgres that the group stores its results in: `<system identifier>/<object id of the database>`. Older versions noted less. */
  readonly store?: string | undefined;
}

export interface TopicEnd {
  readonly topic: string;
  readonly partition: number;
  /** First kept offset. */
  readonly low: number;
  /** The next message's offset. */
  readonly end: number;
}

/** A published outbox row as its message names it. */
export interface PublishedPosition extends OutboxPosition {
  readonly topic: string;
}

export interface OffsetRange {
  readonly topic: string;
  readonly partition: number;
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

/** Kafka's knowledge of Postgres. Every call throws a retriable HeadwaterError while Kafka is away. */
export interface LogWitness {
  commits(): Promise<readonly GroupCommit[]>;
  /** Returns the ends of the topics that the relay writes. */
  publishedEnds(): Promise<readonly TopicEnd[]>;
  /** Outbox positions of the last messages of each range; messages of older versions name none. */
  publishedPlaces(ranges: readonly OffsetRange[]): Promise<readonly PublishedPosition[]>;
  /** Reads the published intents of sends from the end backwards, as long as the visitor asks for more. */
  intents(visit: (intents: readonly PublishedIntents[]) => Promise<boolean>): Promise<void>;
}

/** The first offset above all activities of one partition in ClickHouse. */
export interface ActivitiesEnd {
  readonly topic: string;
  readonly generation: number;
  readonly partition: number;
  readonly end: number;
}

/** Facts known outside of Postgres that it must have known first. */
export interface Evidence {
  readonly commits: readonly GroupCommit[];
  readonly activities: readonly ActivitiesEnd[];
  /** Published change events that Postgres neither holds in its outbox nor has marked as published. */
  readonly unknownPlaces: readonly PublishedPosition[];
}

/** Evidence against the stored state: what Postgres has lost. */
export type Loss =
  | {
      readonly kind: "commits" | "activities";
      readonly group: string;
      readonly topic: string;
      readonly partition: number;
      /** Next offset that Postgres stored, and the one that was seen outside. */
      readonly stored: number;
      readonly seen: number;
    }
  | { readonly kind: "changes"; readonly topic: string; readonly events: number }
  /** Batches of intents that were published before their first byte left. */
  | { readonly kind: "sends"; readonly batches: number }
  /** This cluster or database, and the one that wrote the data. */
  | { readonly kind: "identity"; readonly found: string; readonly known: string }
  /** Next transaction number of this cluster, and the greatest one that its outbox or the relay's mark names. */
  | { readonly kind: "transactions"; readonly counted: string; readonly marked: string }
  /** A recovery was begun and not ended: what is missing from now on shows nowhere. */
  | { readonly kind: "recovery"; readonly epoch: number };

export type StoredOffsets = readonly Pick<
  OpenOffset,
  "group" | "topic" | "generation" | "partition" | "nextOffset" | "pending"
>[];
