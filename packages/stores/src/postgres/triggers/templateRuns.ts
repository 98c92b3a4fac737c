import { plainArray } from "../connection/arrays.ts";
import { deleteOlder } from "../connection/oldRows.ts";
import type { Session, Transaction } from "../connection/session.ts";
import { LOST_OR_CANCELED, LOST_OR_SKIPPED } from "../sends/sendRow.ts";
import type { TemplateId } from "./eventTriggers.ts";

/** Names one run of a recurring trigger. */
export interface RunKey {
  readonly account: number;
  /** 24 hex characters. */
  readonly id: string;
}

export interface TemplateRun extends RunKey, TemplateId {
  /** Its tick, milliseconds since 1970, as the other times. */
  readonly tickAt: number;
  /** Id of the template's day or hour that its sends belong to. */
  readonly message: string;
  readonly job: string;
  readonly startedAt: number;
}

/** Condition of runs that have not ended. */
export const STORE_OPEN = "ended_at IS NULL";
const OPEN_SENDS = "state IN ('pending', 'sending', 'deferred')";

const insertStatement = {
  name: "template_runs_insert",
  text: `INSERT INTO template_runs (account, id, mdt_id, tick_at, message, job, started_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};
const knownStatement = {
  name: "template_runs_known",
  text: "SELECT id FROM template_runs WHERE account = $1 AND mdt_id = $2 AND tick_at >= $3 LIMIT 1",
};
const lockStatement = {
  name: "template_runs_lock",
  text: `SELECT account, id, mdt_id AS "mdtId", tick_at AS "tickAt", message, job, started_at AS "startedAt" FROM template_runs
    WHERE account = $1 AND id = $2 AND ${STORE_OPEN} FOR NO KEY UPDATE`,
};
const endStatement = {
  name: "template_runs_end",
  text: `UPDATE template_runs SET ended_at = $3 WHERE account = $1 AND id = $2 AND ${STORE_OPEN}`,
};
const dropChunksStatement = {
  name: "template_runs_drop_chunks",
  text: "DELETE FROM send_chunks WHERE account = $1 AND message = $2",
};
const cancelStatement = {
  name: "template_runs_cancel",
  text: `UPDATE sends SET state = ${LOST_OR_SKIPPED}, reason = ${LOST_OR_CANCELED}, at = $3, owner = NULL, claim_until = 0
    WHERE account = $1 AND want = $2 AND state IN ('pending', 'deferred')`,
};
const lostStatement = {
  name: "template_runs_lost",
  text: `SELECT r.account, r.id FROM template_runs r WHERE r.ended_at IS NULL
      AND NOT EXISTS (SELECT FROM jobs j WHERE j.id = r.job AND j.status NOT IN ('Done', 'Failed', 'Canceled')) LIMIT $1`,
};
/** Runs of older ticks have no open sends: none is kept open for longer than three days. */
const openSendsStatement = {
  name: "template_runs_open_sends",
  text: `SELECT count(*) AS count FROM (SELECT FROM template_runs r JOIN sends s ON s.account = r.account AND s.want = r.id AND s.${OPEN_SENDS}
      WHERE r.account = $1 AND r.mdt_id = $2 AND r.tick_at > $3 LIMIT $4) AS open`,
};
const openOfRunStatement = {
  name: "template_runs_open_of_run",
  text: `SELECT count(*) AS count FROM (SELECT FROM sends WHERE account = $1 AND want = $2 AND ${OPEN_SENDS} LIMIT $3) AS open`,
};
const takeStatement = {
  name: "template_runs_take_chunks",
  text: `WITH due AS (SELECT n FROM send_chunks WHERE account = $1 AND message = $2 ORDER BY n LIMIT $3),
    taken AS (DELETE FROM send_chunks c USING due WHERE c.account = $1 AND c.message = $2 AND c.n = due.n RETURNING c.contacts)
    SELECT contact FROM (SELECT unnest(contacts) AS contact FROM taken) AS contacts ORDER BY contact`,
};
const touchWantStatement = {
  name: "template_runs_want",
  text: `INSERT INTO send_wants (account, id, template, is_draft, merge_data, created_at) VALUES ($1, $2, $3, false, '{}', $4)
    ON CONFLICT (account, id) DO UPDATE SET created_at = EXCLUDED.created_at`,
};
/** Contacts are locked: nobody else takes their next number. One that has a send of the run under another number gets no second one. */
const sendStatement = {
  name: "template_runs_send",
  text: `INSERT INTO sends (account, message, contact, n, kind, cid, channel, classification, priority, state, resends_left, want,
        created_at, due_at, at)
      SELECT $1, $3, c.number, 1 + COALESCE((SELECT max(s.n) FROM sends s WHERE s.account = $1 AND s.message = $3 AND s.contact = c.number), 0),
        'a', c.cid, $5, $6, $7, 'pending', $8, $2, $9, $9, $9
      FROM unnest($4::bigint[]) AS asked (number) JOIN contacts c ON c.account = $1 AND c.number = asked.number
      WHERE NOT EXISTS (SELECT FROM contacts m JOIN sends s ON s.account = $1 AND s.message = $3 AND s.contact = m.number AND s.want = $2
        WHERE m.account = $1 AND (m.number = c.number OR m.merged_into = c.number))
      ORDER BY c.number`,
};

/** Stores the run of a tick. */
export async function insertTemplateRun(transaction: Transaction, run: TemplateRun): Promise<void> {
  const { account, id, mdtId, tickAt, message, job, startedAt } = run;
  await transaction.execute(insertStatement, [account, id, mdtId, tickAt, message, job, startedAt]);
}

/** Returns whether a tick, or a later one, has its run. */
export async function hasRunSince(session: Session, { account, mdtId }: TemplateId, tickAt: number): Promise<boolean> {
  const found = await session.query<{ id: string }>(knownStatement, [account, mdtId, tickAt]);
  return found.length > 0;
}

/** Locks a run that has not ended until the transaction ends. */
export async function lockTemplateRun(
  transaction: Transaction,
  { account, id }: RunKey,
): Promise<TemplateRun | undefined> {
  const [row] = await transaction.query<TemplateRun & Record<string, unknown>>(lockStatement, [account, id]);
  return row;
}

/** Ends a run: contacts that have no send by now get none. @param isCanceled ends waiting sends as well. */
export async function endTemplateRun(
  transaction: Transaction,
  { account, id, isCanceled = false }: RunKey & { readonly isCanceled?: boolean },
  nowMs: number,
): Promise<void> {
  await transaction.execute(endStatement, [account, id, nowMs]);
  await transaction.execute(dropChunksStatement, [account, id]);
  if (isCanceled) await transaction.execute(cancelStatement, [account, id, nowMs]);
}

/** Returns runs whose job has ended without them. */
export function readLostRuns(session: Session, rowsMax: number): Promise<RunKey[]> {
  return session.query<RunKey & Record<string, unknown>>(lostStatement, [rowsMax]);
}

/** Counts sends of a template's runs that have not ended, up to a limit. @param since milliseconds since 1970. */
export async function countOpenSendsOfRuns(
  session: Session,
  { account, mdtId, since, countMax }: TemplateId & { readonly since: number; readonly countMax: number },
): Promise<number> {
  const [row] = await session.query<{ count: number }>(openSendsStatement, [account, mdtId, since, countMax]);
  return row?.count ?? 0;
}

/** Counts sends of a run that have not ended, up to a limit. */
export async function countOpenSendsOfRun(
  session: Session,
  { account, id, countMax }: RunKey & { readonly countMax: number },
): Promise<number> {
  const [row] = await session.query<{ count: number }>(openOfRunStatement, [account, id, countMax]);
  return row?.count ?? 0;
}

/** Takes the next chunks of a run's audience. @returns their contacts; none when there are no more chunks. */
export async function takeRunChunks(
  transaction: Transaction,
  { account, id, chunksMax }: RunKey & { readonly chunksMax: number },
): Promise<number[]> {
  const rows = await transaction.query<{ contact: number }>(takeStatement, [account, id, chunksMax]);
  return rows.map(({ contact }) => contact);
}

export interface RunSends extends RunKey {
  /** Id as it stands in the mcID. */
  readonly message: string;
  /** Key of the template. */
  readonly template: string;
  /** Numbers of living contacts, which are locked. */
  readonly contacts: readonly number[];
  readonly channel: string;
  readonly classification: "promotional" | "transactional";
  readonly priority: number;
  readonly resendsLeft: number;
}

/** Stores wanted sends of a run. @returns how many. */
export async function insertRunSends(transaction: Transaction, sends: RunSends, nowMs: number): Promise<number> {
  const { account, id, message, template, contacts, channel, classification, priority, resendsLeft } = sends;
  if (contacts.length === 0) return 0;
  await transaction.execute(touchWantStatement, [account, id, template, nowMs]);
  const numbers = plainArray(contacts, (contact) => contact);
  const values = [account, id, message, numbers, channel, classification, priority, resendsLeft, nowMs];
  return transaction.execute(sendStatement, values);
}

/** Deletes runs that ended before a time (milliseconds since 1970). @returns how many. */
export function deleteOldRuns(session: Session, before: number): Promise<number> {
  return deleteOlder(session, { table: "template_runs", column: "ended_at", unless: "ended_at IS NULL" }, before);
}
