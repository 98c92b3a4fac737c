import type { Session } from "@headwater/postgres/connection/session";
import type { SendKey } from "./sendRow.ts";

/** The send that a report is about, as far as it is still known. */
export interface ReportedSend {
  /** 24 hex characters. */
  readonly accountId: string;
  /** Id of the contact at the time of sending. */
  readonly cID: string;
  /** Null once the row of the send is gone. */
  readonly channel: string | null;
  readonly variant: string | null;
  /** Address that it went to. */
  readonly address: string | null;
  /** Address of the message's copies. */
  readonly bcc: string | null;
}

/** The message in a key ends in the period of a child, the rows of messages do not. */
const statement = {
  name: "sends_reported",
  text: `SELECT a.id AS "accountId", coalesce(s.cid, c.cid) AS "cID", s.channel, s.variant, s.address,
      coalesce(b.settings, t.settings)::json ->> 'bcc' AS bcc
    FROM intake.accounts a
    LEFT JOIN sends s ON s.account = a.number AND s.message = $2 AND s.contact = $3 AND s.n = $4
    LEFT JOIN contacts c ON c.account = a.number AND c.number = $3
    LEFT JOIN batch_messages b ON b.account = a.number AND b.id = split_part($2, ':', 1)
    LEFT JOIN automation_templates t ON t.account = a.number AND t.mdt_id = split_part($2, ':', 1)
    WHERE a.number = $1 AND coalesce(s.cid, c.cid) IS NOT NULL`,
};

/** Returns undefined when neither the send nor its contact is known any more. */
export async function findReportedSend(session: Session, key: SendKey): Promise<ReportedSend | undefined> {
  const { account, message, contact, n } = key;
  const [row] = await session.query<ReportedSend>(statement, [account, message, contact, n]);
  return row;
}
