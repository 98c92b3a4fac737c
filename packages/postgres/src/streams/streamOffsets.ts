import { textArray } from "../connection/arrays.ts";
import type { Session, Transaction, Value } from "../connection/session.ts";
import { type Loss, type OffsetMark, parseLosses, SELECT_LOSSES } from "./offsetMark.ts";

export interface OffsetKey {
  readonly group: string;
  readonly topic: string;
  readonly generation: number;
  readonly partition: number;
}

/** A range that is being inserted into ClickHouse: from `nextOffset` up to `to` (excluded). */
export interface PendingRange {
  readonly to: number;
  readonly token: string;
  readonly attempt: number;
  /** Version of the code that makes rows of records: the same token must mean the same rows. */
  readonly transform: number;
  /**
   * True while whoever claimed it may finish it, with the other partitions under the same token and without counting. Others detach it
   * before they send rows under the token.
   */
  readonly shared: boolean;
}

/** Position of a consumer group in one partition of one generation of a topic. */
export interface StoredOffset {
  readonly nextOffset: number;
  /** Id of the record before `nextOffset`: another one in the log means that the log is not the one that was read. */
  readonly lastRecordId: string | null;
  /** Milliseconds since 1970, of all records before. */
  readonly greatestTime: number;
  readonly outboxPosition: number;
  /** First offset of what the UID window is rebuilt from. */
  readonly windowFrom: number;
  /** Mark of the frame before `nextOffset`; null when it is not known. */
  readonly mark?: OffsetMark | null | undefined;
}

export interface OpenOffset extends OffsetKey, StoredOffset {
  readonly pending: PendingRange | null;
  readonly mark: OffsetMark | null;
  /** Time at which it was moved last, or the log seen to be the one that was read; milliseconds since 1970. */
  readonly seenAt: number;
  /** Reason why nothing is read: the log is not the one that was read. */
  readonly heldWhy: string | null;
  /** Times at which its log was lost and another one adopted, the oldest first. */
  readonly losses: readonly Loss[];
}

interface OffsetRow extends OffsetKey, Omit<StoredOffset, "mark"> {
  readonly lastPrint: string | null;
  readonly lastEpoch: number | null;
  readonly seenAt: number;
  readonly heldWhy: string | null;
  readonly losses: string | null;
  readonly pendingTo: number | null;
  readonly pendingToken: string | null;
  readonly pendingAttempt: number | null;
  readonly pendingTransform: number | null;
  readonly pendingShared: boolean;
}

const SELECT = `SELECT grp AS "group", topic, generation, partition, next_offset AS "nextOffset", last_record_id AS "lastRecordId",
  greatest_time AS "greatestTime", outbox_position AS "outboxPosition", window_from AS "windowFrom", pending_to AS "pendingTo",
  pending_token AS "pendingToken", pending_attempt AS "pendingAttempt", pending_transform AS "pendingTransform",
  pending_shared AS "pendingShared",
  last_print AS "lastPrint", last_epoch AS "lastEpoch", held_why AS "heldWhy",
  (extract(epoch FROM updated_at) * 1000)::bigint AS "seenAt", ${SELECT_LOSSES} AS losses FROM stream_offsets o`;
const KEY = "grp = $1 AND topic = $2 AND generation = $3 AND partition = $4";

const createStatement = {
  name: "offsets_create",
  text: `INSERT INTO stream_offsets (grp, topic, generation, partition, next_offset, window_from)
    SELECT $1, $2, $3::int, $4::int, $5::bigint, $5::bigint
    WHERE NOT EXISTS (SELECT FROM stream_offsets WHERE grp = $1 AND topic = $2 AND partition = $4::int)
    ON CONFLICT DO NOTHING`,
};
const loadStatement = { name: "offsets_load", text: `${SELECT} WHERE ${KEY}` };
const lockStatement = { name: "offsets_lock", text: `${SELECT} WHERE ${KEY} FOR NO KEY UPDATE OF o` };
const readStatement = {
  name: "offsets_read",
  text: `${SELECT} WHERE grp = ANY ($1::text[]) ORDER BY grp, topic, generation, partition`,
};
const setStatement = {
  name: "offsets_set",
  text: `UPDATE stream_offsets SET next_offset = $5, last_record_id = $6, greatest_time = $7, outbox_position = GREATEST(outbox_position, $8), window_from = $9,
    last_print = $10, last_epoch = $11, updated_at = now() WHERE ${KEY}`,
};

/** The partition was adopted: its row is that of a later generation. */
export class OffsetMoved extends Error {}

const generationStatement = {
  name: "offsets_generation",
  text: `SELECT GREATEST((SELECT max(generation) FROM stream_offsets WHERE grp = $1 AND topic = $2 AND partition = $3),
    (SELECT max(generation) FROM losses WHERE topic = $2 AND partition = $3)) AS generation`,
};

/** Generation of a log before another one was adopted in its place. */
export const FIRST_GENERATION = 1;

/** Returns which log of a partition a group reads: one more each time that another one was adopted. */
export async function readGeneration(
  session: Session,
  { group, topic, partition }: Omit<OffsetKey, "generation">,
): Promise<number> {
  const [row] = await session.query<{ generation: number | null }>(generationStatement, [group, topic, partition]);
  return row?.generation ?? FIRST_GENERATION;
}

/** The row, made when it is missing: then `firstOffset` is next. */
export async function openOffset(session: Session, key: OffsetKey, firstOffset: number): Promise<OpenOffset> {
  await session.execute(createStatement, [...keyValues(key), firstOffset]);
  return expectOffset(key, await session.query<OffsetRow>(loadStatement, keyValues(key)));
}

/** The fence of exactly once: whoever holds this row is the only one that applies the partition. @throws when it was never opened. */
export async function lockOffset(transaction: Transaction, key: OffsetKey): Promise<OpenOffset> {
  return expectOffset(key, await transaction.query<OffsetRow>(lockStatement, keyValues(key)));
}

/** Reads the offsets of all partitions of the groups: readers wait for them (`?after=`), displays show them. */
export async function readOffsets(session: Session, groups: readonly string[]): Promise<OpenOffset[]> {
  const rows = await session.query<OffsetRow>(readStatement, [textArray(groups, (group) => group)]);
  return rows.map(toOffset);
}

/** Moves a locked row; the outbox position never goes back. @throws when there is no such row. */
export async function setOffset(transaction: Transaction, key: OffsetKey, to: StoredOffset): Promise<void> {
  const values = [to.nextOffset, to.lastRecordId, to.greatestTime, to.outboxPosition, to.windowFrom];
  const mark = [to.mark?.print ?? null, to.mark?.epoch ?? null];
  const moved = await transaction.execute(setStatement, [...keyValues(key), ...values, ...mark]);
  if (moved !== 1) throw new Error(`no stream offset for ${keyValues(key).join("/")}`);
}

const heldStatement = {
  name: "offsets_held",
  text: `UPDATE stream_offsets SET held_since = CASE WHEN $5::text IS NULL THEN NULL ELSE COALESCE(held_since, now()) END, held_why = $5
    WHERE ${KEY} AND held_why IS DISTINCT FROM $5`,
};
const seenStatement = {
  name: "offsets_seen",
  text: `WITH free AS (SELECT grp, topic, generation, partition FROM stream_offsets WHERE ${KEY} FOR NO KEY UPDATE SKIP LOCKED),
    seen AS (UPDATE stream_offsets o SET updated_at = now() FROM free f
      WHERE o.grp = f.grp AND o.topic = f.topic AND o.generation = f.generation AND o.partition = f.partition)
    SELECT EXISTS (SELECT FROM stream_offsets WHERE ${KEY}) AS "isThere"`,
};

/** Notes why nothing is read from a partition; undefined when it goes on. */
export async function noteHeld(session: Session, key: OffsetKey, why: string | undefined): Promise<void> {
  await session.execute(heldStatement, [...keyValues(key), why ?? null]);
}

/**
 * Notes that the frame before the stored offset was seen in the log: the offset still means the same records. A row that a batch
 * holds is passed over: the batch notes the same, and waiting for it would hold a connection.
 * @throws OffsetMoved when the row is of another generation by now, because an operator adopted the log.
 */
export async function noteSeen(session: Session, key: OffsetKey): Promise<void> {
  const [row] = await session.query<{ isThere: boolean }>(seenStatement, keyValues(key));
  if (row?.isThere !== true) throw new OffsetMoved(`no stream offset for ${keyValues(key).join("/")}`);
}

export function keyValues(key: OffsetKey): Value[] {
  return [key.group, key.topic, key.generation, key.partition];
}

function expectOffset(key: OffsetKey, [row]: readonly OffsetRow[]): OpenOffset {
  if (row === undefined) throw new OffsetMoved(`no stream offset for ${keyValues(key).join("/")}`);
  return toOffset(row);
}

function toOffset(row: OffsetRow): OpenOffset {
  const { pendingTo, pendingToken, pendingAttempt, pendingTransform, pendingShared, lastPrint, lastEpoch, ...rest } =
    row;
  const offset = {
    ...rest,
    losses: parseLosses(rest.losses),
    mark: lastPrint === null ? null : { print: lastPrint, epoch: lastEpoch },
  };
  if (pendingTo === null || pendingToken === null) return { ...offset, pending: null };
  const pending = {
    to: pendingTo,
    token: pendingToken,
    attempt: pendingAttempt ?? 1,
    transform: pendingTransform ?? 0,
    shared: pendingShared,
  };
  return { ...offset, pending };
}
