import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";
import { LOG_COLUMNS } from "./accountLog.ts";

/** API that was called: that of intake and partners, or `/v2`. */
export type CalledApi = "api" | "v2";

/** Calls of one key in one minute that ended the same way. */
export interface CallCount {
  /** Minutes since 1970. */
  readonly minute: number;
  /** The account's number. */
  readonly account: number;
  /** Id of the key. */
  readonly key: string;
  readonly api: CalledApi;
  /** The error code; empty for calls that were accepted. */
  readonly code: string;
  /** The answer's HTTP status; 0 for calls that were accepted. */
  readonly status: number;
  readonly operation: string;
  readonly calls: number;
  /** Items that were taken, and those of accepted calls that were not. */
  readonly accepted: number;
  readonly rejected: number;
}

const addStatement = {
  name: "call_counts_add",
  text: `INSERT INTO intake.call_counts AS c (minute, account, key, door, code, status, operation, calls, accepted, rejected)
    SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::bigint[], $9::bigint[], $10::bigint[])
      AS r (minute, account, key, door, code, status, operation, calls, accepted, rejected)
    ORDER BY minute, account, key, door, code, status, operation
    ON CONFLICT (minute, account, key, door, code, status, operation) DO UPDATE
    SET calls = c.calls + EXCLUDED.calls, accepted = c.accepted + EXCLUDED.accepted, rejected = c.rejected + EXCLUDED.rejected`,
};

const CALLS = (outcome: string) =>
  `(calls || CASE calls WHEN 1 THEN ' call was ' ELSE ' calls were ' END || ${outcome})`;
const LEVEL = "CASE WHEN status >= 500 THEN 3 WHEN code <> '' OR rejected > 0 THEN 2 ELSE 0 END";
const ACTION = "CASE WHEN code = '' THEN 'acceptedCalls' WHEN status >= 500 THEN 'failedCalls' ELSE 'refusedCalls' END";
const MESSAGE = `CASE
  WHEN code = '' THEN ${CALLS("'accepted: '")} || accepted || ' items taken, ' || rejected || ' rejected.'
  WHEN status >= 500 THEN ${CALLS("'answered '")} || code || '.'
  ELSE ${CALLS("'refused with '")} || code || '.' END`;
const DETAILS = `CASE WHEN code = ''
    THEN json_build_object('calls', calls, 'accepted', accepted, 'rejected', rejected, 'operations', operations)
    ELSE json_build_object('code', code, 'calls', calls, 'operations', operations) END`;

/**
 * Rows of minutes that are over become entries, those of one key, code and status one. Of two processes that do it at the same time one
 * deletes a row and makes an entry of it. The instant of an entry is its minute's begin.
 */
const moveStatement = {
  name: "call_counts_move",
  text: `WITH keys AS (SELECT DISTINCT minute, account, key FROM intake.call_counts WHERE minute < $1
      ORDER BY minute, account, key LIMIT $2),
    moved AS (DELETE FROM intake.call_counts c USING keys k
      WHERE c.minute = k.minute AND c.account = k.account AND c.key = k.key RETURNING c.*),
    summed AS (SELECT minute, account, key, door, code, status, sum(calls)::bigint AS calls, sum(accepted)::bigint AS accepted,
        sum(rejected)::bigint AS rejected, json_object_agg(operation, calls) AS operations
      FROM (SELECT minute, account, key, door, code, status, operation, calls, accepted, rejected FROM moved ORDER BY operation) m
      GROUP BY minute, account, key, door, code, status),
    entries AS (INSERT INTO account_log (${LOG_COLUMNS})
      SELECT account, minute * 60000, replace(gen_random_uuid()::text, '-', ''), CASE door WHEN 'v2' THEN 'API' ELSE 'Inbound' END,
        ${LEVEL}, ${ACTION}, ${MESSAGE}, key, (SELECT k.name FROM intake.api_keys k WHERE k.id = key AND k.account = summed.account),
        NULL, NULL, NULL, NULL, NULLIF(status, 0)::text, ${DETAILS}, 'key', NULL::text[]
      FROM summed RETURNING 1)
    SELECT count(*) AS keys FROM keys`,
};

/** Adds counts to those that are there; no two of them name the same. */
export async function addCallCounts(session: Session, counts: readonly CallCount[]): Promise<void> {
  if (counts.length === 0) return;
  const plain = (of: (count: CallCount) => number) => plainArray(counts, of);
  const text = (of: (count: CallCount) => string) => textArray(counts, of);
  await session.execute(addStatement, [
    plain(({ minute }) => minute),
    plain(({ account }) => account),
    text(({ key }) => key),
    text(({ api }) => api),
    text(({ code }) => code),
    plain(({ status }) => status),
    text(({ operation }) => operation),
    plain(({ calls }) => calls),
    plain(({ accepted }) => accepted),
    plain(({ rejected }) => rejected),
  ]);
}

/** Keys and minutes of which one statement makes entries. */
const KEYS_AT_A_TIME = 1_000;

/**
 * Makes entries of the counts of minutes (since 1970) before this one. Counts go and entries come in one statement.
 * @returns whether there may be more.
 */
export async function moveCallCounts(session: Session, beforeMinute: number): Promise<boolean> {
  const [row] = await session.query<{ keys: number }>(moveStatement, [beforeMinute, KEYS_AT_A_TIME]);
  return row?.keys === KEYS_AT_A_TIME;
}
