import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { deleteOlder } from "@headwater/postgres/connection/oldRows";
import { createResourceTable, type RowOf } from "@headwater/postgres/connection/resourceTable";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import {
  type AlertRow,
  type AlertTarget,
  alertEntities,
  alertStates,
  alertTypes,
  alertView,
  conditionsShape,
} from "./alert.ts";
import type { Evaluated } from "./fold.ts";

/** Alerts, in order of (time of creation, id). */
export const alerts = createResourceTable({
  name: "alerts",
  key: "id",
  members: {
    type: alertTypes,
    entity: alertEntities,
    msID: "text | null",
    mdtID: "text | null",
    enabled: "boolean",
    notify: "text[] | null",
    /** JSON text. */
    conditions: "text",
    period: "integer",
    revision: "integer",
  },
  derived: {
    state: alertStates,
    since: "integer | null",
    /** JSON text. */
    value: "text | null",
    asOf: "integer | null",
    lastRaised: "integer | null",
    raisedAt: "integer | null",
  },
  columns: { msID: "ms_id", mdtID: "mdt_id" },
});

export type StoredAlert = RowOf<typeof alerts>;

export function readAlert(row: Omit<StoredAlert, "account" | "entity" | "revision" | "raisedAt">): AlertRow {
  const { conditions, notify, value } = row;
  return {
    ...row,
    notify: notify ?? [],
    conditions: conditionsShape.parse(JSON.parse(conditions)),
    value: value === null ? null : z.number().parse(JSON.parse(value)),
  };
}

/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_447;
const lockStatement = { name: "alerts_account_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };
const resetStatement = {
  name: "alerts_reset",
  text: `UPDATE alerts SET state = 'unjudged', since = $3, value = NULL, as_of = NULL, raised_at = NULL, notified_at = NULL
    WHERE account = $1 AND id = $2`,
};
const dueNowStatement = {
  name: "alert_turns_due_now",
  text: `INSERT INTO alert_turns AS t (account, due_at) VALUES ($1, $2)
    ON CONFLICT (account) DO UPDATE SET due_at = LEAST(t.due_at, EXCLUDED.due_at), claimed_until = 0`,
};
const claimStatement = {
  name: "alert_turns_claim",
  text: `UPDATE alert_turns t SET claimed_until = $2 FROM (
      SELECT account FROM alert_turns WHERE is_slow = $4 AND due_at <= $1 AND claimed_until <= $1 ORDER BY due_at LIMIT $3
        FOR UPDATE SKIP LOCKED
    ) AS k WHERE t.account = k.account RETURNING t.account, t.claimed_until AS "claimedUntil"`,
};
const endStatement = {
  name: "alert_turns_end",
  text: `UPDATE alert_turns SET claimed_until = 0, due_at = $3, is_slow = $4 WHERE account = $1 AND claimed_until = $2`,
};
const COLUMNS = `id, type, ms_id AS "msID", mdt_id AS "mdtID", enabled, notify, conditions, period, revision, state, since, value,
  as_of AS "asOf", last_raised AS "lastRaised", raised_at AS "raisedAt", notified_at AS "notifiedAt", created_at AS "createdAt",
  updated_at AS "updatedAt"`;
const enabledStatement = {
  name: "alerts_enabled",
  text: `SELECT ${COLUMNS} FROM alerts WHERE account = $1 AND enabled ORDER BY id`,
};
const lockAllStatement = {
  name: "alerts_lock_enabled",
  text: `SELECT ${COLUMNS} FROM alerts WHERE account = $1 AND id = ANY ($2::text[]) AND enabled ORDER BY id FOR NO KEY UPDATE`,
};
const evaluatedStatement = {
  name: "alerts_evaluated",
  text: `UPDATE alerts a SET state = e.state, since = e.since, value = e.value, as_of = e.as_of, last_raised = e.last_raised,
      raised_at = e.raised_at, notified_at = e.notified_at
    FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
      AS e (id, state, since, value, as_of, last_raised, raised_at, notified_at)
    WHERE a.account = $1 AND a.id = e.id`,
};
const targetsStatement = {
  name: "alerts_targets",
  text: `SELECT id, settings::json ->> 'name' AS name FROM batch_messages WHERE account = $1 AND id = ANY ($2::text[])
    UNION ALL SELECT mdt_id AS id, settings::json ->> 'name' AS name FROM automation_templates
      WHERE account = $1 AND mdt_id = ANY ($3::text[])`,
};
const ofMessagesStatement = {
  name: "alerts_of_messages",
  text: `SELECT ${COLUMNS} FROM alerts WHERE account = $1 AND (ms_id = ANY ($2::text[]) OR mdt_id = ANY ($2::text[]))
    ORDER BY created_at, id`,
};
const watchersStatement = {
  name: "alerts_watchers_of_webhooks",
  text: `SELECT DISTINCT unnest(notify) AS address FROM alerts WHERE account = $1 AND enabled AND type = 'webhook-disabled'`,
};

/** Held to the end of the transaction: no alert of the account is created until then. */
export async function lockAlerts(transaction: Transaction, account: number): Promise<void> {
  await transaction.query(lockStatement, [LOCK_CLASS, account]);
}

/** Forgets what evaluations have left of an alert, once it watches something else. */
export async function resetAlert(
  transaction: Transaction,
  { account, key }: { readonly account: number; readonly key: string },
  nowMs: number,
): Promise<void> {
  await transaction.execute(resetStatement, [account, key, nowMs]);
}

/** Has the alerts of an account evaluated now. An evaluation that is under way stores nothing. */
export async function evaluateSoon(transaction: Transaction, account: number, nowMs: number): Promise<void> {
  await transaction.execute(dueNowStatement, [account, nowMs]);
}

/** The alerts of an account, which one process may evaluate until its claim ends. */
export interface AlertTurn {
  readonly account: number;
  readonly claimedUntil: number;
}

/** Claims accounts whose alerts are due, those that wait longest first. @param isSlow whether those that took long the last time, or the others. */
export function claimTurns(
  session: Session,
  {
    nowMs,
    until,
    turnsMax,
    isSlow,
  }: { readonly nowMs: number; readonly until: number; readonly turnsMax: number; readonly isSlow: boolean },
): Promise<AlertTurn[]> {
  return session.query<AlertTurn>(claimStatement, [nowMs, until, turnsMax, isSlow]);
}

/** Ends a turn. @returns false when the claim is another one by now: nothing may be stored then. */
export async function endTurn(
  session: Session,
  { account, claimedUntil }: AlertTurn,
  { dueAt, isSlow }: { readonly dueAt: number; readonly isSlow: boolean },
): Promise<boolean> {
  return (await session.execute(endStatement, [account, claimedUntil, dueAt, isSlow])) === 1;
}

/** An alert with all that its evaluation reads and writes. */
export interface WatchedAlert extends AlertRow, Evaluated {
  readonly revision: number;
}

type Row = Omit<WatchedAlert, "notify" | "conditions" | "value"> & Pick<StoredAlert, "notify" | "conditions" | "value">;

export async function readEnabled(session: Session, account: number): Promise<WatchedAlert[]> {
  return (await session.query<Row>(enabledStatement, [account])).map(toWatched);
}

/** Locks those of the alerts that are still enabled. */
export async function lockEnabled(
  transaction: Transaction,
  account: number,
  ids: readonly string[],
): Promise<WatchedAlert[]> {
  const rows = await transaction.query<Row>(lockAllStatement, [account, textArray(ids, (id) => id)]);
  return rows.map(toWatched);
}

function toWatched(row: Row): WatchedAlert {
  const { revision, raisedAt, notifiedAt } = row;
  return { ...readAlert(row), revision, raisedAt, notifiedAt };
}

/** Stores what evaluations have left of alerts. */
export async function storeEvaluated(
  transaction: Transaction,
  account: number,
  rows: readonly (Evaluated & { readonly id: string })[],
): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(evaluatedStatement, [
    account,
    textArray(rows, ({ id }) => id),
    textArray(rows, ({ state }) => state),
    plainArray(rows, ({ since }) => since),
    textArray(rows, ({ value }) => (value === null ? null : JSON.stringify(value))),
    plainArray(rows, ({ asOf }) => asOf),
    plainArray(rows, ({ lastRaised }) => lastRaised),
    plainArray(rows, ({ raisedAt }) => raisedAt),
    plainArray(rows, ({ notifiedAt }) => notifiedAt),
  ]);
}

/** Returns the names of those of the messages and templates that exist, by their ids. */
export async function readTargets(
  session: Session,
  account: number,
  targets: readonly Pick<AlertTarget, "msID" | "mdtID">[],
): Promise<ReadonlyMap<string, string>> {
  const ids = (name: "msID" | "mdtID") => {
    const given = targets.map((target) => target[name]).filter((id) => id !== null);
    return textArray([...new Set(given)], (id) => id);
  };
  const rows = await session.query<{ id: string; name: string | null }>(targetsStatement, [
    account,
    ids("msID"),
    ids("mdtID"),
  ]);
  return new Map(rows.map(({ id, name }) => [id, name ?? id]));
}

/** Returns the alerts on messages and templates, as answers show them, by the id of the message or template. */
export async function viewAlertsOf(
  session: Session,
  account: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReturnType<typeof alertView>[]>> {
  const rows = await session.query<Row>(ofMessagesStatement, [account, textArray(ids, (id) => id)]);
  const views = rows.map((row) => ({ ...alertView(readAlert(row)) }));
  return Map.groupBy(views, ({ msID, mdtID }) => msID ?? mdtID ?? "");
}

/** Returns the addresses that are to hear of webhooks that are disabled. */
export async function readWebhookWatchers(session: Session, account: number): Promise<string[]> {
  const rows = await session.query<{ address: string }>(watchersStatement, [account]);
  return rows.map(({ address }) => address);
}

const noteLagStatement = {
  name: "store_lags_note",
  text: `INSERT INTO store_lags AS l (minute, as_of)
    SELECT $1, GREATEST($2::bigint, COALESCE((SELECT max(as_of) FROM (SELECT as_of FROM store_lags ORDER BY minute DESC LIMIT 1) AS last), $3))
    ON CONFLICT (minute) DO UPDATE SET as_of = GREATEST(l.as_of, EXCLUDED.as_of) RETURNING as_of AS "asOf"`,
};
const lagsStatement = {
  name: "store_lags_read",
  text: `SELECT minute, as_of AS "asOf" FROM store_lags WHERE minute >= $1 AND minute < $2 ORDER BY minute`,
};

/**
 * Stores how far ClickHouse is in this minute.
 * @param asOf instant from before which it has everything, as far as this process knows; 0 when it does not know yet.
 * @returns the latest such instant that any process has known.
 */
export async function noteLag(session: Session, nowMs: number, asOf: number): Promise<number> {
  const minute = Math.floor(nowMs / MINUTE_MS);
  const [row] = await session.query<{ asOf: number }>(noteLagStatement, [minute, asOf, nowMs]);
  return row?.asOf ?? asOf;
}

/** Reads how far ClickHouse was, by minutes since 1970: the first included, the last excluded. */
export function readLags(
  session: Session,
  from: number,
  to: number,
): Promise<{ readonly minute: number; readonly asOf: number }[]> {
  return session.query(lagsStatement, [from, to]);
}

const MINUTE_MS = 60_000;
const LAGS_RETENTION_MS = 10 * 24 * 60 * MINUTE_MS;

/** Deletes what is known of minutes that no answer shows any more. */
export async function deleteOldLags(session: Session, nowMs: number): Promise<void> {
  const aging = { table: "store_lags", column: "minute", moment: "($1::bigint / 60000)" };
  await deleteOlder(session, aging, nowMs - LAGS_RETENTION_MS);
}
