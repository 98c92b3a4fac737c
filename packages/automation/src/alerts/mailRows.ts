import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";

/** A mail to one of the addresses that an account notifies. */
export interface NewAlertMail {
  /** Names what it is about: an address gets one mail of a notice. */
  readonly notice: string;
  readonly address: string;
  readonly subject: string;
  /** Plain text. */
  readonly body: string;
}

/** A mail that one process hands over until its lease ends. */
export interface DueAlertMail extends NewAlertMail {
  readonly account: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Attempts before this one. */
  readonly attempts: number;
  readonly leasedUntil: number;
}

const insertStatement = {
  name: "alert_mails_insert",
  text: `INSERT INTO alert_mails (account, notice, address, subject, body, created_at, next_at)
    SELECT $1, notice, address, subject, body, $2, $2 FROM unnest($3::text[], $4::text[], $5::text[], $6::text[])
      AS m (notice, address, subject, body)
    ON CONFLICT (account, notice, address) DO NOTHING`,
};
const claimStatement = {
  name: "alert_mails_claim",
  text: `UPDATE alert_mails m SET next_at = $2, attempts = m.attempts + 1 FROM (
      SELECT account, notice, address FROM alert_mails WHERE next_at <= $1 AND account <> ALL ($4::int[])
        ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED
    ) AS due WHERE (m.account, m.notice, m.address) = (due.account, due.notice, due.address)
    RETURNING m.account, m.notice, m.address, m.subject, m.body, m.created_at AS "createdAt", m.attempts - 1 AS attempts,
      m.next_at AS "leasedUntil"`,
};
const OWN = "account = $1 AND notice = $2 AND address = $3 AND next_at = $4";
const delayStatement = { name: "alert_mails_delay", text: `UPDATE alert_mails SET next_at = $5 WHERE ${OWN}` };
const deleteStatement = { name: "alert_mails_delete", text: `DELETE FROM alert_mails WHERE ${OWN}` };

/** Queues mails in the transaction of what they are about. */
export async function insertAlertMails(
  session: Session,
  { account, nowMs }: { readonly account: number; readonly nowMs: number },
  mails: readonly NewAlertMail[],
): Promise<void> {
  if (mails.length === 0) return;
  await session.execute(insertStatement, [
    ...[account, nowMs, textArray(mails, ({ notice }) => notice), textArray(mails, ({ address }) => address)],
    ...[textArray(mails, ({ subject }) => subject), textArray(mails, ({ body }) => body)],
  ]);
}

/** Claims mails that are due. Until `leaseUntil` no other process takes them; after a kill they are due again then. */
export function claimAlertMails(
  session: Session,
  claim: {
    readonly nowMs: number;
    readonly leaseUntil: number;
    readonly rowsMax: number;
    /** Accounts whose mails stay where they are. */
    readonly butAccounts: ReadonlySet<number>;
  },
): Promise<DueAlertMail[]> {
  const butAccounts = `{${[...claim.butAccounts].join(",")}}`;
  return session.query<DueAlertMail>(claimStatement, [claim.nowMs, claim.leaseUntil, claim.rowsMax, butAccounts]);
}

/** Puts off the next attempt. Nothing where the lease has ended. */
export async function delayAlertMail(session: Session, mail: DueAlertMail, nextAt: number): Promise<void> {
  await session.execute(delayStatement, [...nameOf(mail), nextAt]);
}

/** Forgets a mail that was handed over or given up. Nothing where the lease has ended. */
export async function deleteAlertMail(session: Session, mail: DueAlertMail): Promise<void> {
  await session.execute(deleteStatement, nameOf(mail));
}

function nameOf({ account, notice, address, leasedUntil }: DueAlertMail) {
  return [account, notice, address, leasedUntil];
}
