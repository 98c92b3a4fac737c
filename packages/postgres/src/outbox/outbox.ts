import { plainArray } from "../connection/arrays.ts";
import type { Session, Transaction } from "../connection/session.ts";

/** A message to be published; `payload` is JSON text. */
export interface OutboxRow {
  readonly position: number;
  readonly topic: string;
  readonly sourcePartition: number;
  readonly payload: string;
}

/** A position in the order of publication. `xid` is the decimal text of the transaction's 64-bit number. */
export interface OutboxPosition {
  readonly xid: string;
  readonly position: number;
}

/** Next offset by topic and partition, as the broker answered: what was published lies before it. */
export type PublishedOffsets = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface RelayProgress extends OutboxPosition {
  readonly offsets: PublishedOffsets;
}

const appendStatement = {
  name: "outbox_append",
  text: "INSERT INTO outbox (position, topic, source_partition, payload) VALUES ($1, $2, $3, $4)",
};
const readStatement = {
  name: "outbox_read",
  text: `SELECT xid::text AS xid, position, topic, source_partition AS "sourcePartition", payload FROM outbox
    WHERE (xid, position) > ($1::xid8, $2::bigint) AND xid < outbox_xid(pg_snapshot_xmin(pg_current_snapshot()))
    ORDER BY outbox.xid, position LIMIT $3`,
};
const ownStatement = {
  name: "outbox_own",
  text: `SELECT topic, payload FROM outbox WHERE xid = outbox_xid(pg_current_xact_id()) ORDER BY position`,
};
const deleteStatement = {
  name: "outbox_delete",
  text: `DELETE FROM outbox WHERE (xid, position) > ($1::xid8, $2::bigint) AND (xid, position) <= ($3::xid8, $4::bigint)`,
};
const progressStatement = {
  name: "relay_read",
  text: "SELECT xid::text AS xid, position, offsets FROM relay_progress WHERE id = 1",
};
const setProgressStatement = {
  name: "relay_set",
  text: `UPDATE relay_progress SET xid = $3::xid8, position = $4, offsets = $5,
      horizon = outbox_xid(pg_snapshot_xmax(pg_current_snapshot())), updated_at = now()
    WHERE id = 1 AND xid = $1::xid8 AND position = $2 AND offsets::jsonb = $6::jsonb`,
};

/** Returns what this transaction has appended so far. */
export function readOwnOutbox(transaction: Transaction): Promise<Pick<OutboxRow, "topic" | "payload">[]> {
  return transaction.query(ownStatement);
}

/**
 * Appends rows in the transaction of what changed. A statement a row: there are a few, and great payloads are not put together once more.
 */
export async function appendOutbox(transaction: Transaction, rows: readonly OutboxRow[]): Promise<void> {
  await Promise.all(
    rows.map(({ position, topic, sourcePartition, payload }) =>
      transaction.execute(appendStatement, [position, topic, sourcePartition, payload]),
    ),
  );
}

/**
 * The next rows behind a position, in order of (transaction, position). Only transactions before the oldest one still running: nothing can
 * commit later at a position that was passed.
 */
export function readOutbox(
  session: Session,
  after: OutboxPosition,
  rowsMax: number,
): Promise<(OutboxRow & OutboxPosition)[]> {
  return session.query(readStatement, [after.xid, after.position, rowsMax]);
}

/**
 * Deletes the rows behind `from` up to and including `upTo`: they are published. A row before `from` never was, and stays.
 * @returns how many.
 */
export function deleteOutbox(session: Session, from: OutboxPosition, upTo: OutboxPosition): Promise<number> {
  return session.execute(deleteStatement, [from.xid, from.position, upTo.xid, upTo.position]);
}

export async function readRelayProgress(session: Session): Promise<RelayProgress> {
  const [row] = await session.query<OutboxPosition & { offsets: string }>(progressStatement);
  if (row === undefined) throw new Error("relay_progress has its row from the migration");
  const offsets: PublishedOffsets = JSON.parse(row.offsets);
  return { xid: row.xid, position: row.position, offsets };
}

const unknownStatement = {
  name: "outbox_unknown",
  text: `SELECT k.place FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS k (xid, position, place)
    WHERE (k.xid::xid8, k.position) > (SELECT xid, position FROM relay_progress WHERE id = 1)
      AND NOT EXISTS (SELECT FROM outbox o WHERE o.xid = k.xid::xid8 AND o.position = k.position)`,
};

/**
 * Returns the published positions that Postgres neither has marked as published nor holds to be published. It never gave them out:
 * their transactions are lost.
 */
export async function unknownPositions<Position extends OutboxPosition>(
  session: Session,
  published: readonly Position[],
): Promise<Position[]> {
  const xids = plainArray(published, ({ xid }) => xid);
  const positions = plainArray(published, ({ position }) => position);
  const rows = await session.query<{ place: number }>(unknownStatement, [xids, positions]);
  return rows.flatMap(({ place }) => published[place - 1] ?? []);
}

/** @returns false when another relay moved on from there, or an operator adopted the log of a partition: read the progress again. */
export async function setRelayProgress(session: Session, from: RelayProgress, to: RelayProgress): Promise<boolean> {
  const offsets = [JSON.stringify(to.offsets), JSON.stringify(from.offsets)];
  const values = [from.xid, from.position, to.xid, to.position, ...offsets];
  return (await session.execute(setProgressStatement, values)) === 1;
}
