import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { SendClaim } from "./insertSends.ts";
import { KEY_ROWS, SAME_KEY, SEND_COLUMNS, type SendKey, STORE_NOW, type StoredSend } from "./sendRow.ts";

const ACCOUNTS_AT_ONCE = 16;
const DUE = "state IN ('pending', 'deferred')";
const FREE = `due_at <= $1 AND claim_until <= ${STORE_NOW}`;
const WANTED = "account || ' ' || message <> ALL ($6::text[])";

/** Accounts that have sends to be made, in turn: those behind the last one first. One read of the index for each. */
const accountsStatement = {
  name: "sends_due_accounts",
  text: `WITH RECURSIVE due (account, step) AS (
      (SELECT account, 1 FROM sends WHERE ${DUE} AND account > $1 ORDER BY account LIMIT 1)
      UNION ALL
      SELECT (SELECT s.account FROM sends s WHERE ${DUE} AND s.account > due.account ORDER BY s.account LIMIT 1), step + 1
        FROM due WHERE due.account IS NOT NULL AND step < $2)
    SELECT account FROM due WHERE account IS NOT NULL`,
};
const claimStatement = {
  name: "sends_claim",
  text: `WITH found AS (
      SELECT d.* FROM unnest($2::int[]) WITH ORDINALITY AS a (account, turn),
        LATERAL (SELECT account, message, contact, n, priority, due_at, a.turn AS turn FROM sends
          WHERE account = a.account AND ${DUE} AND ${FREE} AND ${WANTED}
          ORDER BY account, priority DESC, due_at LIMIT $5 FOR UPDATE SKIP LOCKED) AS d),
    chosen AS (
      SELECT account, message, contact, n FROM (
        SELECT *, row_number() OVER (PARTITION BY account ORDER BY priority DESC, due_at) AS place FROM found) AS placed
      ORDER BY priority DESC, place, turn LIMIT $5)
    UPDATE sends s SET owner = $3, claim_until = ${STORE_NOW} + $4::bigint FROM chosen
      WHERE (s.account, s.message, s.contact, s.n) = (chosen.account, chosen.message, chosen.contact, chosen.n)
      RETURNING ${SEND_COLUMNS}`,
};

export interface DueClaim extends SendClaim {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Account that was served last; 0 at first. */
  readonly after: number;
  readonly sendsMax: number;
  /** Messages whose sends stay where they are. */
  readonly but?: readonly Pick<SendKey, "account" | "message">[];
  /** Accounts whose sends stay where they are. */
  readonly butAccounts?: ReadonlySet<number>;
}

/** Claims sends that are due: the highest priority first, then of the accounts in turn. They stay as they are until they are intended. */
export async function claimSends(
  transaction: Transaction,
  { owner, leaseMs, nowMs, after, sendsMax, but = [], butAccounts = new Set() }: DueClaim,
): Promise<StoredSend[]> {
  // Skipping accounts in the statement would read all of their rows.
  const accountsMax = ACCOUNTS_AT_ONCE + butAccounts.size;
  const behind = await transaction.query<{ account: number }>(accountsStatement, [after, accountsMax]);
  const first = after === 0 ? [] : await transaction.query<{ account: number }>(accountsStatement, [0, accountsMax]);
  const accounts = [...new Set([...behind, ...first].map(({ account }) => account))]
    .filter((account) => !butAccounts.has(account))
    .slice(0, ACCOUNTS_AT_ONCE);
  if (accounts.length === 0) return [];
  return transaction.query(claimStatement, [
    ...[nowMs, plainArray(accounts, (one) => one), owner, leaseMs, sendsMax],
    textArray(but, ({ account, message }) => `${account} ${message}`),
  ]);
}

const extendStatement = {
  name: "sends_hold",
  text: `UPDATE sends s SET claim_until = ${STORE_NOW} + $6::bigint FROM ${KEY_ROWS} WHERE ${SAME_KEY} AND s.owner = $5
    AND s.state IN ('pending', 'deferred', 'sending') RETURNING s.account, s.message, s.contact, s.n`,
};
const releaseStatement = {
  name: "sends_release",
  text: `UPDATE sends s SET claim_until = 0, owner = NULL, due_at = GREATEST(s.due_at, $6::bigint),
      reason = CASE WHEN s.reason = 'answer-lost' THEN s.reason ELSE COALESCE($7, s.reason) END,
      held_at = CASE WHEN $7 IS NULL THEN s.held_at ELSE ${STORE_NOW} END
    FROM ${KEY_ROWS} WHERE ${SAME_KEY} AND s.owner = $5 AND s.state IN ('pending', 'deferred')`,
};

/** Extends the lease of sends. @returns those that are still the owner's. */
export function holdSends(
  session: Session,
  keys: readonly SendKey[],
  { account, owner, leaseMs }: SendClaim & { readonly account: number },
): Promise<SendKey[]> {
  return session.query<SendKey>(extendStatement, [account, ...keyArrays(keys), owner, leaseMs]);
}

/**
 * Gives claimed sends back that were not intended, as in quiet hours. They are due again from `dueAt`. Those whose answer was lost before
 * stay known as such: they may have arrived.
 */
export async function releaseSends(
  session: Session,
  keys: readonly SendKey[],
  { account, owner, dueAt, reason }: Release,
): Promise<void> {
  if (keys.length === 0) return;
  await session.execute(releaseStatement, [account, ...keyArrays(keys), owner, dueAt, reason ?? null]);
}

const waitingStatement = {
  name: "sends_waiting",
  text: `UPDATE sends s SET reason = $6 FROM ${KEY_ROWS} WHERE ${SAME_KEY} AND s.owner = $5 AND s.state IN ('pending', 'deferred')
    AND COALESCE(s.reason, '') NOT IN ('answer-lost', $6)`,
};

/** Says why claimed sends wait with their owner. */
export async function noteWaiting(
  session: Session,
  keys: readonly SendKey[],
  { account, owner, reason }: { readonly account: number; readonly owner: string; readonly reason: string },
): Promise<void> {
  if (keys.length === 0) return;
  await session.execute(waitingStatement, [account, ...keyArrays(keys), owner, reason]);
}

export interface Release {
  readonly account: number;
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  /** Reason why they wait. */
  readonly reason?: string;
}

/** Returns the parameters of `KEY_ROWS`. */
export function keyArrays(keys: readonly SendKey[]): string[] {
  return [
    textArray(keys, ({ message }) => message),
    plainArray(keys, ({ contact }) => contact),
    plainArray(keys, ({ n }) => n),
  ];
}
