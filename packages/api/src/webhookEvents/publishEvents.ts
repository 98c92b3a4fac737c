import { hash } from "node:crypto";
import { WEBHOOK_BODY_BYTES_MAX, type WebhookEventType } from "@headwater/contracts";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";

/** Something that happened and that webhooks of the account may listen to. */
export interface NewWebhookEvent {
  readonly type: WebhookEventType;
  /** Name of its source within the type: it is stored once, however often its source is met. */
  readonly source: string;
  /** Milliseconds since 1970 at which it happened. */
  readonly at: number;
  readonly data: object;
  /** The ids in `data`, which take its place where that is too large. */
  readonly ids: object;
  /** cID that it is about. An erasure of the contact deletes the event. */
  readonly contact?: string | undefined;
  /** Name of the activity that it is about. */
  readonly action?: string | undefined;
  /** Webhook that does not get it. */
  readonly exceptWebhook?: string | undefined;
}

const ID_CHARACTERS = 32;
/** `{type, timestamp, data, truncated}` around the data. */
const ENVELOPE_BYTES = 256;

/** Events, and the webhooks of the account that listen to each. */
const LISTENING = `events AS (
      SELECT * FROM unnest($3::text[], $4::text[], $5::bigint[], $6::text[], $7::boolean[], $8::text[], $9::text[], $10::text[])
        AS e (id, type, at, data, is_truncated, contact, action, except_webhook)
    ), listening AS (
      SELECT e.id, e.at, w.id AS webhook, w.enabled, w.activation FROM events e JOIN webhooks w ON w.account = $1 AND e.type = ANY (w.events)
        WHERE (e.action IS NULL OR w.actions IS NULL OR e.action = ANY (w.actions)) AND w.id IS DISTINCT FROM e.except_webhook
    )`;
const insertEvents = (
  onConflict: string,
) => `INSERT INTO webhook_events (account, id, type, at, contact, data, is_truncated)
      SELECT $1, id, type, at, contact, data, is_truncated FROM events e WHERE EXISTS (SELECT FROM listening l WHERE l.id = e.id)
      ON CONFLICT (account, id) ${onConflict} RETURNING id`;
const INSERT_DELIVERIES = `INSERT INTO webhook_deliveries AS d (account, webhook, event, at, state, activation, next_at)
    SELECT $1, l.webhook, l.id, l.at, CASE WHEN l.enabled THEN 'pending' ELSE 'kept' END, l.activation, CASE WHEN l.enabled THEN $2::bigint END
    FROM listening l JOIN stored s ON s.id = l.id`;

/*
 * An event is stored when a webhook of the account listens to it, with a delivery for each of those. Deliveries of a disabled webhook are
 * kept for a replay.
 */
const publishStatement = {
  name: "webhook_events_publish",
  text: `WITH ${LISTENING}, stored AS (${insertEvents("DO NOTHING")}) ${INSERT_DELIVERIES}`,
};
/** A delivery that is on its way stays, and takes the newer data along. */
const repeatStatement = {
  name: "webhook_events_repeat",
  text: `WITH ${LISTENING}, stored AS (
      ${insertEvents("DO UPDATE SET at = EXCLUDED.at, data = EXCLUDED.data, is_truncated = EXCLUDED.is_truncated")}
    ) ${INSERT_DELIVERIES} ON CONFLICT (account, webhook, event) DO UPDATE SET state = EXCLUDED.state, activation = EXCLUDED.activation,
      at = EXCLUDED.at, next_at = EXCLUDED.next_at, attempts = 0 WHERE d.state <> 'pending'`,
};

/**
 * Stores events for the webhooks that listen to them, in the transaction of what they are about. Those that nobody listens to leave nothing.
 * @param account its number.
 */
export async function publishEvents(
  session: Session,
  { account, nowMs }: { readonly account: number; readonly nowMs: number },
  events: readonly NewWebhookEvent[],
): Promise<void> {
  await storeEvents(session, publishStatement, { account, nowMs, events });
}

/** Has events posted again, under their ids, to all webhooks that listen to them now. Those that were never stored are published. */
export async function repeatEvents(
  session: Session,
  { account, nowMs }: { readonly account: number; readonly nowMs: number },
  events: readonly NewWebhookEvent[],
): Promise<void> {
  await storeEvents(session, repeatStatement, { account, nowMs, events });
}

interface EventsToStore {
  readonly account: number;
  readonly nowMs: number;
  readonly events: readonly NewWebhookEvent[];
}

async function storeEvents(
  session: Session,
  statement: typeof publishStatement,
  { account, nowMs, events }: EventsToStore,
): Promise<void> {
  if (events.length === 0) return;
  const rows = [...new Map(events.map((event) => [event.type + event.source, toRow(account, event)])).values()];
  await session.execute(statement, [
    ...[account, nowMs, textArray(rows, ({ id }) => id), textArray(rows, ({ type }) => type)],
    ...[plainArray(rows, ({ at }) => at), textArray(rows, ({ data }) => data)],
    ...[plainArray(rows, ({ isTruncated }) => isTruncated), textArray(rows, ({ contact }) => contact ?? null)],
    ...[textArray(rows, ({ action }) => action ?? null), textArray(rows, (row) => row.exceptWebhook ?? null)],
  ]);
}

function toRow(account: number, { data, ids, ...event }: NewWebhookEvent) {
  const whole = JSON.stringify(data);
  const isTruncated = Buffer.byteLength(whole) > WEBHOOK_BODY_BYTES_MAX - ENVELOPE_BYTES;
  return { ...event, id: eventId(account, event), data: isTruncated ? JSON.stringify(ids) : whole, isTruncated };
}

/** Returns the id of an event, by which receivers recognize a repeat. */
function eventId(account: number, { type, source }: Pick<NewWebhookEvent, "type" | "source">): string {
  const digest = hash("sha256", JSON.stringify([account, type, source]), "hex");
  return `msg_${digest.slice(0, ID_CHARACTERS)}`;
}
