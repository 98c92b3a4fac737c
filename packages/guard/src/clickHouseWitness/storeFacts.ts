/** Step of a rebuild. */
export type RebuildPhase = "clearing" | "replaying";

/** Facts that Postgres stores about its ClickHouse. */
export interface KnownStore {
  /** Undefined until the first projector of the installation creates one. */
  readonly identity: string | undefined;
  /** False until ClickHouse has been given the identity. */
  readonly isEstablished: boolean;
  /** Migrations that ClickHouse had when its tables were noted. */
  readonly migrations: number;
  /** UUIDs of the tables by name; empty for replicated ones, which may have one on each server. */
  readonly tables: Readonly<Record<string, string>>;
  /** Offset by stream up to which ClickHouse has confirmed all rows. */
  readonly marks: Readonly<Record<string, number>>;
  /** Present while ClickHouse is rebuilt. */
  readonly rebuild?: RebuildPhase;
}

export interface HeldTable {
  readonly name: string;
  readonly uuid: string;
  readonly rows: number;
}

/** Facts that ClickHouse shows about itself. */
export interface HeldStore {
  /** Identities that it was ever given. */
  readonly identities: readonly string[];
  readonly migrations: number;
  readonly tables: readonly HeldTable[];
  /** Marks by stream that belong to the identity that was asked for. */
  readonly marks: ReadonlyMap<string, number>;
}

/** Part of a stream of the log: the rows of one group from one partition. */
export interface StreamKey {
  readonly group: string;
  readonly topic: string;
  readonly generation: number;
  readonly partition: number;
}

/** End of a range whose rows are in ClickHouse. */
export interface StreamEnd {
  readonly key: StreamKey;
  readonly to: number;
}

/** Name of a stream in both stores. */
export function streamOf({ group, topic, generation, partition }: StreamKey): string {
  return `${group}/${topic}/${generation}/${partition}`;
}
