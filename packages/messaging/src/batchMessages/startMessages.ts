import { publishEvents } from "@headwater/api/webhookEvents/publishEvents";
import { setAudiencesUsedBy } from "@headwater/audiences/audiences/audienceUses";
import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { setIncludesUsed } from "../includes/includeUses.ts";
import type { BatchMessageKey } from "./batchMessages.ts";
import { forgetMessageHealth } from "./healthRows.ts";
import { type BatchMessageStatus, isFinalMessage } from "./transitions.ts";

/** Facts of a message that `/send` resolves. */
export interface MessageStart extends BatchMessageKey {
  readonly status: "scheduled" | "pending";
  /** Transport that it goes out by, which the message holds until it is over. */
  readonly transportId: string;
  /** JSON text of the audience as it was checked. */
  readonly node: string;
  /** JSON text of a frozen message whose includes are still to be read. */
  readonly frozen: string;
  readonly job: string;
  /** Milliseconds since 1970 at which it is to start. */
  readonly sendAt: number;
  readonly warnings: readonly string[];
}

const startStatement = {
  name: "batch_messages_start",
  text: `UPDATE batch_messages SET status = $3, reason = NULL, transport_id = $4, node = $5, frozen = $6, job = $7, send_at = $8,
      warnings = NULLIF($9::text[], '{}'), updated_at = GREATEST($10, updated_at + 1) WHERE account = $1 AND id = $2`,
};
const statusStatement = {
  name: "batch_messages_status",
  text: `UPDATE batch_messages SET status = $3, reason = $4, updated_at = GREATEST($5, updated_at + 1),
      ended_at = CASE WHEN $3 IN ('sent', 'canceled', 'failed') THEN $5 END,
      transport_id = CASE WHEN $3 NOT IN ('sent', 'canceled', 'failed') THEN transport_id END
    WHERE account = $1 AND id = $2`,
};
const draftStatement = {
  name: "batch_messages_unschedule",
  text: `UPDATE batch_messages SET status = 'draft', transport_id = $3, node = NULL, frozen = NULL, job = NULL, send_at = NULL,
      warnings = NULL, updated_at = $4 WHERE account = $1 AND id = $2`,
};
const resumeStatement = {
  name: "batch_messages_resume",
  text: `UPDATE batch_messages SET status = 'processing', reason = NULL, node = $3, is_ready = false, updated_at = GREATEST($4, updated_at + 1),
      started_at = COALESCE(started_at, $4) WHERE account = $1 AND id = $2`,
};
const dueStatement = {
  name: "batch_messages_due",
  text: `SELECT account, id, job FROM batch_messages WHERE status = 'scheduled' AND send_at <= $1 ORDER BY send_at LIMIT $2`,
};
/** Messages that are over with chunks that nobody sends to any more, and those whose job has failed. */
const endedStatement = {
  name: "batch_messages_ended",
  text: `SELECT m.account, m.id FROM batch_messages m WHERE m.status IN ('pending', 'processing')
      AND EXISTS (SELECT FROM jobs j WHERE j.id = m.job AND j.status = 'Failed')
    UNION
    SELECT m.account, m.id FROM batch_messages m WHERE m.status IN ('canceled', 'failed')
      AND EXISTS (SELECT FROM send_chunks c WHERE c.account = m.account AND c.message = m.id)
    LIMIT $1`,
};
const sendingStatement = {
  name: "batch_messages_sending",
  text: `SELECT account, id, status, reason, node, frozen, send_at AS "sendAt", schedule_at AS "scheduleAt", is_ready AS "isReady",
      audience_total AS "audienceTotal", settings::json ->> 'scheduleType' AS "scheduleType", job, experiment,
      started_at AS "startedAt", updated_at AS "updatedAt"
    FROM batch_messages WHERE account = $1 AND id = $2 FOR NO KEY UPDATE`,
};
const beginStatement = {
  name: "batch_messages_begin",
  text: `UPDATE batch_messages SET status = 'processing', frozen = $3, started_at = COALESCE(started_at, $4), updated_at = $4
    WHERE account = $1 AND id = $2`,
};
const readyStatement = {
  name: "batch_messages_ready",
  text: `UPDATE batch_messages SET is_ready = true, audience_total = $3, zones = seen.zones, zones_total = cardinality(seen.zones), updated_at = $5
    FROM (SELECT CASE WHEN $4 THEN ARRAY(SELECT unnest(zones) UNION SELECT c.zone FROM send_chunks c
        WHERE c.account = $1 AND c.message = $2 AND c.zone IS NOT NULL) END AS zones
      FROM batch_messages WHERE account = $1 AND id = $2) AS seen
    WHERE account = $1 AND id = $2`,
};
const totalStatement = {
  name: "batch_messages_total",
  text: "UPDATE batch_messages SET audience_total = $3 WHERE account = $1 AND id = $2",
};

const experimentStatement = {
  name: "batch_messages_experiment",
  text: `UPDATE batch_messages SET experiment = $3, warnings = CASE WHEN $4::text IS NULL THEN warnings ELSE array_append(warnings, $4) END
    WHERE account = $1 AND id = $2`,
};

/** Reads the state that a message leaves, where a webhook of its account listens: nobody else pays for it. */
const leftStatement = {
  name: "batch_messages_left",
  text: `SELECT status AS "from", settings::json ->> 'name' AS name FROM batch_messages m WHERE account = $1 AND id = $2 AND status <> $3
    AND EXISTS (SELECT FROM webhooks w WHERE w.account = m.account AND 'message.status' = ANY (w.events))`,
};

/** Publishes that a locked message gets another state, before it does. */
async function publishStatus(
  transaction: Transaction,
  { account, id, status, reason }: StatusChange,
  nowMs: number,
): Promise<void> {
  const [left] = await transaction.query<{ from: string; name: string | null }>(leftStatement, [account, id, status]);
  if (left === undefined) return;
  const ids = { id, from: left.from, to: status };
  const data = { ...ids, ...(left.name !== null && { name: left.name }), ...(reason !== undefined && { reason }) };
  const source = `${id}/${left.from}/${status}/${nowMs}`;
  await publishEvents(transaction, { account, nowMs }, [{ type: "message.status", source, at: nowMs, data, ids }]);
}

/** Stores what `/send` resolved. The message is locked. */
export async function startBatchMessage(transaction: Transaction, start: MessageStart, nowMs: number): Promise<void> {
  const { account, id, status, transportId, node, frozen, job, sendAt, warnings } = start;
  const values = [
    account,
    id,
    status,
    transportId,
    node,
    frozen,
    job,
    sendAt,
    textArray(warnings, (one) => one),
    nowMs,
  ];
  await publishStatus(transaction, { account, id, status }, nowMs);
  await transaction.execute(startStatement, values);
}

export interface StatusChange extends BatchMessageKey {
  readonly status: BatchMessageStatus;
  readonly reason?: string;
}

/** Changes the state of a message that is locked. One that is over lets go of its transport, audiences and includes. */
export async function setMessageStatus(
  transaction: Transaction,
  { account, id, status, reason }: StatusChange,
  nowMs: number,
): Promise<void> {
  await publishStatus(transaction, { account, id, status, ...(reason !== undefined && { reason }) }, nowMs);
  await transaction.execute(statusStatement, [account, id, status, reason ?? null, nowMs]);
  if (!isFinalMessage(status)) return;
  await forgetMessageHealth(transaction, { account, id });
  const user = { account, kind: "batchmessage", userId: id } as const;
  await setIncludesUsed(transaction, user, []);
  await setAudiencesUsedBy(transaction, user, []);
}

/** Makes a scheduled message a draft again. @param transportId the transport that the draft names. */
export async function unscheduleMessage(
  transaction: Transaction,
  { account, id, transportId }: BatchMessageKey & { readonly transportId: string | null },
  nowMs: number,
): Promise<void> {
  await publishStatus(transaction, { account, id, status: "draft" }, nowMs);
  await transaction.execute(draftStatement, [account, id, transportId, nowMs]);
}

/** Lets a paused message go on with a new snapshot of its audience. @param node JSON text of the audience as it was checked now. */
export async function resumeMessage(
  transaction: Transaction,
  { account, id, node }: BatchMessageKey & { readonly node: string },
  nowMs: number,
): Promise<void> {
  await publishStatus(transaction, { account, id, status: "processing" }, nowMs);
  await transaction.execute(resumeStatement, [account, id, node, nowMs]);
  await forgetMessageHealth(transaction, { account, id });
}

/** Returns scheduled messages whose time has come, with their jobs. */
export function readDueMessages(
  session: Session,
  nowMs: number,
  rowsMax: number,
): Promise<(BatchMessageKey & { readonly job: string })[]> {
  return session.query<BatchMessageKey & { job: string }>(dueStatement, [nowMs, rowsMax]);
}

/** Returns messages whose job has failed, and canceled or failed ones of whose audience chunks are left. */
export function readEndedMessages(session: Session, rowsMax: number): Promise<BatchMessageKey[]> {
  return session.query<BatchMessageKey>(endedStatement, [rowsMax]);
}

/** A message as its job sees it. */
export interface SendingMessage extends BatchMessageKey {
  readonly status: BatchMessageStatus;
  readonly reason: string | null;
  readonly node: string | null;
  readonly frozen: string | null;
  readonly sendAt: number | null;
  readonly scheduleAt: number | null;
  readonly scheduleType: "account" | "contact";
  readonly isReady: boolean;
  readonly audienceTotal: number | null;
  readonly job: string | null;
  /** JSON text of what its experiment has learnt. */
  readonly experiment: string | null;
  readonly startedAt: number | null;
  readonly updatedAt: number;
}

/** Locked until the transaction ends. Its job is locked before it. */
export async function lockSendingMessage(
  transaction: Transaction,
  { account, id }: BatchMessageKey,
): Promise<SendingMessage | undefined> {
  const [row] = await transaction.query<SendingMessage>(sendingStatement, [account, id]);
  return row;
}

/** Stores that a worker has begun, and the message as its senders read it. */
export async function beginMessage(
  transaction: Transaction,
  { account, id, frozen }: BatchMessageKey & { readonly frozen: string },
  nowMs: number,
): Promise<void> {
  await publishStatus(transaction, { account, id, status: "processing" }, nowMs);
  await transaction.execute(beginStatement, [account, id, frozen, nowMs]);
}

export interface SnapshotEnd extends BatchMessageKey {
  readonly audienceTotal: number;
  /** It is sent in the contacts' zones. */
  readonly isZoned: boolean;
}

export interface LearntExperiment extends BatchMessageKey {
  /** JSON text. */
  readonly experiment: string;
  readonly warning: string | null;
}

/** Stores what the experiment of a message that is locked has learnt. */
export async function setExperiment(transaction: Transaction, learnt: LearntExperiment): Promise<void> {
  const { account, id, experiment, warning } = learnt;
  await transaction.execute(experimentStatement, [account, id, experiment, warning]);
}

/** Stores that the snapshot of the audience is whole. */
export async function setSnapshotReady(transaction: Transaction, end: SnapshotEnd, nowMs: number): Promise<void> {
  await transaction.execute(readyStatement, [end.account, end.id, end.audienceTotal, end.isZoned, nowMs]);
}

export async function setAudienceTotal(
  transaction: Transaction,
  { account, id, audienceTotal }: Omit<SnapshotEnd, "isZoned">,
): Promise<void> {
  await transaction.execute(totalStatement, [account, id, audienceTotal]);
}
