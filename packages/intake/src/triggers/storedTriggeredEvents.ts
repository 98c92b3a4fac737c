import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { deleteOlder } from "@headwater/postgres/connection/oldRows";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { TemplateId } from "./eventTriggers.ts";

/** An activity that a template is sent for. */
export interface TriggeredEvent extends TemplateId {
  readonly recordId: string;
  /** Number of the contact. */
  readonly contact: number;
  /** JSON text. */
  readonly event: string;
}

const ACCOUNTS_AT_ONCE = 16;

const insertStatement = {
  name: "triggered_events_insert",
  text: `INSERT INTO triggered_events (account, record_id, mdt_id, contact, event, at)
    SELECT account, record_id, mdt_id, contact, event, $6
      FROM unnest($1::int[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS r (account, record_id, mdt_id, contact, event)
    ON CONFLICT (account, record_id, mdt_id) DO NOTHING`,
};
/** One read of the index for each account, the one behind the last one first. */
const accountsStatement = {
  name: "triggered_events_accounts",
  text: `WITH RECURSIVE found (account, step) AS (
      (SELECT account, 1 FROM triggered_events WHERE event IS NOT NULL AND account > $1 ORDER BY account LIMIT 1)
      UNION ALL
      SELECT (SELECT t.account FROM triggered_events t WHERE t.event IS NOT NULL AND t.account > found.account
          ORDER BY t.account LIMIT 1), step + 1
        FROM found WHERE found.account IS NOT NULL AND step < ${ACCOUNTS_AT_ONCE})
    SELECT account FROM found WHERE account IS NOT NULL`,
};
const takeStatement = {
  name: "triggered_events_take",
  text: `WITH taken AS (
      SELECT account, record_id, mdt_id, event, at FROM triggered_events WHERE account = $1 AND event IS NOT NULL
      ORDER BY at, record_id LIMIT $2 FOR UPDATE SKIP LOCKED),
    emptied AS (
      UPDATE triggered_events t SET event = NULL FROM taken
        WHERE (t.account, t.record_id, t.mdt_id) = (taken.account, taken.record_id, taken.mdt_id)
        RETURNING t.account, t.record_id AS "recordId", t.mdt_id AS "mdtId", t.contact, taken.event, taken.at)
    SELECT account, "recordId", "mdtId", contact, event FROM emptied ORDER BY at, "recordId", "mdtId"`,
};

/** Stores what is to be sent for activities. One that is there already, taken or not, stays as it is: its record was read again. */
export async function insertTriggeredEvents(
  transaction: Transaction,
  events: readonly TriggeredEvent[],
  nowMs: number,
): Promise<void> {
  if (events.length === 0) return;
  await transaction.execute(insertStatement, [
    plainArray(events, ({ account }) => account),
    textArray(events, ({ recordId }) => recordId),
    textArray(events, ({ mdtId }) => mdtId),
    plainArray(events, ({ contact }) => contact),
    textArray(events, ({ event }) => event),
    nowMs,
  ]);
}

/** Returns accounts that have some to be taken: those behind the last one first, so that each has its turn. */
export async function accountsOfTriggeredEvents(session: Session, after: number): Promise<number[]> {
  const behind = await session.query<{ account: number }>(accountsStatement, [after]);
  const first = after === 0 ? [] : await session.query<{ account: number }>(accountsStatement, [0]);
  return [...new Set([...behind, ...first].map(({ account }) => account))].slice(0, ACCOUNTS_AT_ONCE);
}

/** Takes the oldest ones of an account that nobody else is taking: nobody finds them again once the transaction is committed. */
export function takeTriggeredEvents(
  transaction: Transaction,
  { account, eventsMax }: { readonly account: number; readonly eventsMax: number },
): Promise<TriggeredEvent[]> {
  return transaction.query(takeStatement, [account, eventsMax]);
}

/** Deletes those from before a time (milliseconds since 1970) that were taken. @returns how many. */
export function deleteOldTriggeredEvents(session: Session, before: number): Promise<number> {
  return deleteOlder(session, { table: "triggered_events", column: "at", unless: "event IS NOT NULL" }, before);
}
