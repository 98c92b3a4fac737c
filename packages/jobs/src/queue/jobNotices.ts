import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Channels of the notice that a job has ended. */
export type NoticeKind = "webhook" | "email";

export interface NewNotice {
  readonly kind: NoticeKind;
  /** A URL or an address, sealed. */
  readonly target: string;
}

/** A notice that is due, taken by one sender. */
export interface DueNotice extends NewNotice {
  readonly job: string;
  /** The account's number. */
  readonly account: number;
  /** Attempts before this one. */
  readonly attempts: number;
}

const insertStatement = {
  name: "job_notices_insert",
  text: `INSERT INTO job_notices (job, account, kind, target) SELECT $1, $2, kind, target
    FROM unnest($3::text[], $4::text[]) AS n (kind, target)`,
};
const releaseStatement = {
  name: "job_notices_release",
  text: "UPDATE job_notices SET next_at = $2 WHERE job = $1 AND next_at IS NULL",
};
const takeStatement = {
  name: "job_notices_take",
  text: `UPDATE job_notices n SET next_at = $2, attempts = n.attempts + 1 FROM (
      SELECT job, kind FROM job_notices WHERE next_at <= $1 AND account <> ALL ($4::int[])
        ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED
    ) AS due WHERE n.job = due.job AND n.kind = due.kind
    RETURNING n.job, n.kind, n.account, n.target, n.attempts - 1 AS attempts`,
};
const laterStatement = {
  name: "job_notices_later",
  text: "UPDATE job_notices SET next_at = $3 WHERE job = $1 AND kind = $2",
};
const deleteStatement = { name: "job_notices_delete", text: "DELETE FROM job_notices WHERE job = $1 AND kind = $2" };

/** Keeps who is to be notified, in the transaction that starts the job. */
export async function insertNotices(
  transaction: Transaction,
  { id, account }: { readonly id: string; readonly account: number },
  notices: readonly NewNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  const kinds = textArray(notices, ({ kind }) => kind);
  await transaction.execute(insertStatement, [id, account, kinds, textArray(notices, ({ target }) => target)]);
}

/** Makes the notices of a job due, in the transaction that ends it. */
export async function releaseNotices(transaction: Transaction, job: string, at: number): Promise<void> {
  await transaction.execute(releaseStatement, [job, at]);
}

/**
 * Takes notices that are due. Until `leaseUntil` no other sender takes them; after a kill they are due again then.
 * Times are milliseconds since 1970.
 */
export function takeDueNotices(
  session: Session,
  taking: {
    readonly now: number;
    readonly leaseUntil: number;
    readonly rowsMax: number;
    /** Accounts whose notices stay where they are. */
    readonly butAccounts: ReadonlySet<number>;
  },
): Promise<DueNotice[]> {
  const butAccounts = `{${[...taking.butAccounts].join(",")}}`;
  return session.query<DueNotice>(takeStatement, [taking.now, taking.leaseUntil, taking.rowsMax, butAccounts]);
}

/** Puts off the next attempt. */
export async function delayNotice(session: Session, { job, kind }: DueNotice, nextAt: number): Promise<void> {
  await session.execute(laterStatement, [job, kind, nextAt]);
}

/** Forgets a notice that was delivered or given up, with its address. */
export async function deleteNotice(session: Session, { job, kind }: DueNotice): Promise<void> {
  await session.execute(deleteStatement, [job, kind]);
}
