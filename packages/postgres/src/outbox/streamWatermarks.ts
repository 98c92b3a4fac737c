import {
  CHANGE_TOPICS,
  type GroupName,
  groupsThatWrite,
  INTAKE_TOPICS,
  STATE_GROUP,
  topicsReadBy,
} from "@headwater/contracts";
import type { Session, Transaction } from "../connection/session.ts";
import { FIRST_GENERATION } from "../streams/streamOffsets.ts";
import type { PublishedOffsets } from "./outbox.ts";

/** A position in all streams: what was stored before it was taken lies below it. */
export interface StreamWatermark {
  /** Next offsets of `state` by `topic/generation/partition`, once no batch is under way that had begun before. */
  readonly state: Readonly<Record<string, number>>;
  readonly xid: string;
  readonly position: number;
  /** Next offsets of the change topics once all up to `position` was published. */
  readonly changes?: PublishedOffsets | undefined;
  /** Generations of the logs that `changes` are offsets of, by `topic/partition`; 1 for those that are not named. */
  readonly generations?: Readonly<Record<string, number>> | undefined;
}

const SINKS_OF_INTAKE = groupsThatWrite("clickhouse", INTAKE_TOPICS);
const SINKS_OF_CHANGES = groupsThatWrite("clickhouse", CHANGE_TOPICS);

const offsetsOfState = (group: string) =>
  `(SELECT json_object_agg(topic || '/' || generation || '/' || partition, next_offset) FROM stream_offsets WHERE grp = ${group})`;
const GENERATIONS = `(SELECT json_object_agg(key, generation)
    FROM (SELECT topic || '/' || partition AS key, max(generation) AS generation FROM losses GROUP BY topic, partition) l)`;
const markStatement = {
  name: "stream_watermark",
  text: `SELECT outbox_xid(pg_current_xact_id())::text AS xid, last_value AS position,
    ${offsetsOfState("$1")} AS state FROM outbox_positions`,
};
/** Transactions that were running then have ended, and the outbox holds nothing of theirs any more, whatever its position. */
const publishedStatement = published("stream_watermark_published", "");
/** The same of change events alone. */
const changesPublishedStatement = published(
  "stream_watermark_changes_published",
  "AND topic = ANY(string_to_array($4, ','))",
);

function published(name: string, narrowed: string) {
  const text = `SELECT outbox_xid(pg_snapshot_xmin(pg_current_snapshot())) > $1::xid8
      AND NOT EXISTS (SELECT FROM outbox WHERE (xid <= $1::xid8 OR position <= $2) ${narrowed}) AS done,
    (SELECT offsets FROM relay_progress WHERE id = 1) AS offsets, ${GENERATIONS} AS generations, ${offsetsOfState("$3")} AS state`;
  return { name, text };
}

const offsetsStatement = {
  name: "stream_watermark_offsets",
  text: `SELECT topic, partition, generation, next_offset AS "nextOffset", held_why IS NOT NULL AS "isHeld"
    FROM stream_offsets WHERE grp = $1 ORDER BY generation`,
};

const positionStatement = { name: "outbox_last_position", text: "SELECT last_value AS position FROM outbox_positions" };

/** The last position in the outbox that was given out. */
export async function readOutboxPosition(session: Session): Promise<number> {
  const [row] = await session.query<{ position: number }>(positionStatement);
  return row?.position ?? 0;
}

export async function takeStreamWatermark(transaction: Transaction): Promise<StreamWatermark> {
  const [row] = await transaction.query<{ xid: string; position: number; state: string | null }>(markStatement, [
    STATE_GROUP,
  ]);
  if (row === undefined) throw new Error("the sequence of outbox positions has a value");
  return { xid: row.xid, position: row.position, state: JSON.parse(row.state ?? "{}") };
}

/** Returns how far the groups that write ClickHouse are: `passed` when all below the marks is there. */
export async function followStreamWatermark(
  session: Session,
  before: StreamWatermark,
): Promise<StreamWatermark | "passed"> {
  return followPublished(session, before, publishedStatement);
}

/** Returns the same for what was stored alone: activities that senders wrote, and that have yet to go through the log, may be missing. */
export async function followStoredWatermark(
  session: Session,
  before: StreamWatermark,
): Promise<StreamWatermark | "passed"> {
  return followPublished(session, before, changesPublishedStatement);
}

/** Returns how far a group is that reads change topics: `passed` when it has read all below the marks. */
export async function followGroupWatermark(
  session: Session,
  before: StreamWatermark,
  group: GroupName,
): Promise<StreamWatermark | "passed"> {
  const topics = topicsReadBy(group);
  const marks =
    before.changes === undefined ? await afterPublished(session, before, changesPublishedStatement, topics) : before;
  const { changes, generations = {} } = marks;
  if (changes === undefined) return marks;
  const offsets = await offsetsOf(session, group);
  const hasRead = topics.every((topic) =>
    Object.entries(changes[topic] ?? {}).every(([partition, next]) => {
      const row = offsets.get(`${topic}/${partition}`);
      const generation = generations[`${topic}/${partition}`] ?? FIRST_GENERATION;
      return row?.isHeld !== true && isPast(row, { generation, next });
    }),
  );
  return hasRead ? "passed" : marks;
}

type PublishedStatement = typeof publishedStatement;

async function followPublished(session: Session, before: StreamWatermark, statement: PublishedStatement) {
  const marks = before.changes === undefined ? await afterPublished(session, before, statement) : before;
  const { changes, generations = {} } = marks;
  if (changes === undefined) return marks;
  for (const group of SINKS_OF_INTAKE) if (!hasRead(await offsetsOf(session, group), marks.state)) return marks;
  for (const group of SINKS_OF_CHANGES) {
    if (!hasReadChanges(await offsetsOf(session, group), changes, generations)) return marks;
  }
  return "passed";
}

interface ReadTo {
  readonly topic: string;
  readonly partition: number;
  readonly generation: number;
  readonly nextOffset: number;
  readonly isHeld: boolean;
}

type Offsets = ReadonlyMap<string, ReadTo>;

function hasRead(offsets: Offsets, marks: StreamWatermark["state"]): boolean {
  return Object.entries(marks).every(([key, next]) => {
    const [topic, generation, partition] = key.split("/");
    return isPast(offsets.get(`${topic}/${partition}`), { generation: Number(generation), next });
  });
}

function hasReadChanges(
  offsets: Offsets,
  published: PublishedOffsets,
  generations: NonNullable<StreamWatermark["generations"]>,
): boolean {
  return Object.entries(published).every(([topic, partitions]) =>
    Object.entries(partitions).every(([partition, next]) => {
      const key = `${topic}/${partition}`;
      const row = offsets.get(key);
      if (row === undefined && !CHANGE_TOPICS.some((name) => name === topic)) return true;
      return row?.isHeld !== true && isPast(row, { generation: generations[key] ?? FIRST_GENERATION, next });
    }),
  );
}

/** A log that another was adopted for since is read to its end: nothing more comes from it. */
function isPast(
  row: ReadTo | undefined,
  { generation, next }: { readonly generation: number; readonly next: number },
): boolean {
  if (row !== undefined && row.generation > generation) return true;
  return (row?.nextOffset ?? 0) >= next;
}

/**
 * A batch that was under way when the marks were taken commits its offset later: how far `state` is counts from when all those have
 * ended, and so do their change records, whose positions may be above the mark.
 */
async function afterPublished(
  session: Session,
  marks: StreamWatermark,
  statement: PublishedStatement,
  topics: readonly string[] = CHANGE_TOPICS,
): Promise<StreamWatermark> {
  const narrowed = statement === publishedStatement ? [] : [topics.join(",")];
  const values = [marks.xid, marks.position, STATE_GROUP, ...narrowed];
  const [row] = await session.query<PublishedRow>(statement, values);
  if (row?.done !== true) return marks;
  const generations = row.generations === null ? undefined : JSON.parse(row.generations);
  return { ...marks, state: JSON.parse(row.state ?? "{}"), changes: JSON.parse(row.offsets), generations };
}

interface PublishedRow {
  readonly done: boolean;
  readonly offsets: string;
  readonly generations: string | null;
  readonly state: string | null;
}

/** Returns the group's rows by `topic/partition`; of several generations the latest. */
async function offsetsOf(session: Session, group: string): Promise<Offsets> {
  const rows = await session.query<ReadTo>(offsetsStatement, [group]);
  return new Map(rows.map((row) => [`${row.topic}/${row.partition}`, row]));
}
