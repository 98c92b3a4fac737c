import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { BatchMessageStatus } from "./transitions.ts";

/** Members of a batch message that its bodies set, as they are stored; null = absent. */
export interface BatchMessageMembers {
  readonly channel: string;
  readonly tags: readonly string[] | null;
  /** 24 hex characters of the transport that it holds. */
  readonly transportId: string | null;
  /** Key of a saved audience. */
  readonly audienceKey: string | null;
  /** JSON text. */
  readonly criteria: string | null;
  /** JSON text: the ids of the lists that the criteria name by name. */
  readonly lists: string | null;
  /** Milliseconds since 1970, as the other times. */
  readonly scheduleAt: number | null;
  /** JSON text. */
  readonly settings: string;
  /** JSON text. */
  readonly content: string | null;
}

export interface BatchMessageKey {
  readonly account: number;
  /** 24 hex characters. */
  readonly id: string;
}

/** Members that sending sets. */
export interface BatchMessageProgress {
  readonly status: BatchMessageStatus;
  /** Reason for which it is paused or has failed. */
  readonly reason: string | null;
  /** Job of its last start. */
  readonly job: string | null;
  /** Time at which it starts, or was to start. */
  readonly sendAt: number | null;
  readonly audienceTotal: number | null;
  /** Time zones of a send in the contacts' zones: those that are not over, and all. */
  readonly zonesLeft: number | null;
  readonly zonesTotal: number | null;
  readonly warnings: readonly string[] | null;
  /** JSON text of what its experiment has learnt. */
  readonly experiment: string | null;
}

export interface StoredBatchMessage extends BatchMessageKey, BatchMessageMembers, BatchMessageProgress {
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Zones with contacts that are still to be sent to. */
const ZONES_LEFT = `CASE WHEN zones_total IS NOT NULL THEN (SELECT count(DISTINCT c.zone) FROM send_chunks c
    WHERE c.account = batch_messages.account AND c.message = batch_messages.id) END`;
export const BATCH_MESSAGE_COLUMNS = `account, id, channel, status, reason, tags, transport_id AS "transportId",
  audience_key AS "audienceKey", criteria, lists, schedule_at AS "scheduleAt", settings, job, send_at AS "sendAt",
  audience_total AS "audienceTotal", ${ZONES_LEFT} AS "zonesLeft", zones_total AS "zonesTotal", warnings, experiment,
  created_at AS "createdAt", updated_at AS "updatedAt"`;
const createStatement = {
  name: "batch_messages_create",
  text: `INSERT INTO batch_messages (account, id, channel, tags, transport_id, audience_key, criteria, lists, schedule_at, settings, content,
      status, created_at, updated_at)
    VALUES ($1, $2, $3, $4::text[], $5, $6, $7, $8, $9, $10, $11, 'draft', $12, $12)`,
};
const readStatement = {
  name: "batch_messages_read",
  text: `SELECT ${BATCH_MESSAGE_COLUMNS}, content FROM batch_messages WHERE account = $1 AND id = $2`,
};
const lockStatement = { name: "batch_messages_lock", text: `${readStatement.text} FOR NO KEY UPDATE` };
const updateStatement = {
  name: "batch_messages_update",
  text: `UPDATE batch_messages SET channel = $3, tags = $4::text[], transport_id = $5, audience_key = $6, criteria = $7, lists = $8,
      schedule_at = $9, settings = $10, content = $11, updated_at = $12
    WHERE account = $1 AND id = $2`,
};
const deleteStatement = {
  name: "batch_messages_delete",
  text: "DELETE FROM batch_messages WHERE account = $1 AND id = $2",
};
const ofTransportStatement = {
  name: "batch_messages_of_transport",
  text: `SELECT id FROM batch_messages WHERE account = $1 AND transport_id = $2
    UNION SELECT message FROM sends WHERE account = $1 AND transport = $2 AND kind = 'b' AND state IN ('pending', 'deferred')
    ORDER BY id LIMIT $3`,
};

/** Stores a message as a draft. */
export async function createBatchMessage(
  transaction: Transaction,
  message: BatchMessageKey & BatchMessageMembers,
  nowMs: number,
): Promise<void> {
  const { account, id } = message;
  await transaction.execute(createStatement, [account, id, ...valuesOf(message), nowMs]);
}

export async function readBatchMessage(
  session: Session,
  account: number,
  id: string,
): Promise<StoredBatchMessage | undefined> {
  const [row] = await session.query<StoredBatchMessage>(readStatement, [account, id]);
  return row;
}

/** Locked until the transaction ends: nobody else changes it. A job that sends it is locked before it. */
export async function lockBatchMessage(
  transaction: Transaction,
  account: number,
  id: string,
): Promise<StoredBatchMessage | undefined> {
  const [row] = await transaction.query<StoredBatchMessage>(lockStatement, [account, id]);
  return row;
}

export async function updateBatchMessage(
  transaction: Transaction,
  { account, id, ...members }: BatchMessageKey & BatchMessageMembers,
  nowMs: number,
): Promise<void> {
  await transaction.execute(updateStatement, [account, id, ...valuesOf(members), nowMs]);
}

export async function deleteBatchMessage(transaction: Transaction, { account, id }: BatchMessageKey): Promise<void> {
  await transaction.execute(deleteStatement, [account, id]);
}

/** Ids of the messages that hold a transport or whose sends are tried again by it, as they were when it was locked. */
export async function batchMessagesOfTransport(
  transaction: Transaction,
  { account, id }: BatchMessageKey,
  idsMax: number,
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(ofTransportStatement, [account, id, idsMax]);
  return rows.map((row) => row.id);
}

function valuesOf(members: BatchMessageMembers) {
  const { channel, tags, transportId, audienceKey, criteria, lists, scheduleAt, settings, content } = members;
  const names = tags === null ? null : textArray(tags, (tag) => tag);
  return [channel, names, transportId, audienceKey, criteria, lists, scheduleAt, settings, content];
}
