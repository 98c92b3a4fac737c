import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** A write of /v2 and the version it has. */
export interface V2Write {
  readonly account: number;
  readonly version: string;
  readonly kind: "v2" | "merge" | "split";
  readonly recordId: string;
}

const insertStatement = {
  name: "v2_writes_insert",
  text: "INSERT INTO v2_writes (account, version, kind, record_id) VALUES ($1, $2, $3, $4)",
};
const readStatement = {
  name: "v2_writes_read",
  text: `SELECT account, version, kind, record_id AS "recordId" FROM v2_writes WHERE account = $1 AND version = ANY ($2::uuid[])`,
};
const redrivenStatement = {
  name: "rejects_at_places",
  text: `SELECT r.version, r.record_id AS "recordId" FROM unnest($2::text[], $3::int[], $4::bigint[], $5::int[]) AS k (topic, partition, log_offset, place)
    JOIN rejects r USING (topic, partition, log_offset, place) WHERE r.account = $1`,
};
const numberStatement = {
  name: "v2_write_number",
  text: `SELECT nextval('v2_write_numbers') AS number, nextval('outbox_positions') AS position,
    (SELECT COALESCE(max(greatest_time), 0) FROM stream_offsets WHERE grp = $1) AS "greatestTime"`,
};

export async function insertV2Write(transaction: Transaction, write: V2Write): Promise<void> {
  await transaction.execute(insertStatement, [write.account, write.version, write.kind, write.recordId]);
}

const lastStatement = {
  name: "v2_writes_last",
  text: "SELECT version FROM v2_writes WHERE account = $1 ORDER BY version DESC LIMIT 1",
};

/** The greatest version that a write of /v2 to the account has. */
export async function readLastV2Version(session: Session, account: number): Promise<string | undefined> {
  const [row] = await session.query<{ version: string }>(lastStatement, [account]);
  return row?.version;
}

/** Numbers that name the next write of /v2. */
export interface V2WriteNumbers {
  /** Its own. */
  readonly number: number;
  /** A position in the outbox, as of `takeOutboxPositions`. */
  readonly position: number;
  /** The greatest that the group has applied. */
  readonly greatestTime: number;
}

/** Taken after all row locks of the transaction; those of a write that has to lock more are left, and leave gaps. */
export async function takeV2WriteNumbers(session: Session, group: string): Promise<V2WriteNumbers> {
  const [row] = await session.query<V2WriteNumbers>(numberStatement, [group]);
  if (row === undefined) throw new Error("a sequence answers one row");
  return row;
}

export function readV2Writes(session: Session, account: number, versions: readonly string[]): Promise<V2Write[]> {
  return session.query(readStatement, [account, plainArray(versions, (version) => version)]);
}

/** A position in the log. */
export interface RecordPosition {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly place: number;
}

/** Records at these positions that were refused or parked when they first came. What they wrote was written when they came again. */
export function readRefusedAt(
  session: Session,
  account: number,
  positions: readonly RecordPosition[],
): Promise<{ readonly version: string; readonly recordId: string }[]> {
  return session.query(redrivenStatement, [
    account,
    textArray(positions, ({ topic }) => topic),
    plainArray(positions, ({ partition }) => partition),
    plainArray(positions, ({ offset }) => offset),
    plainArray(positions, ({ place }) => place),
  ]);
}
