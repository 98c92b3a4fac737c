import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { LostSend } from "./endLostSends.ts";
import type { SendKey } from "./sendRow.ts";

const insertStatement = {
  text: `INSERT INTO lost_intents (account, print, message, contact, n)
    SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::bigint[], $5::int[]) ON CONFLICT DO NOTHING`,
};
const readStatement = {
  name: "lost_intents_read",
  text: "SELECT account, print, message, contact, n FROM lost_intents WHERE account = $1 AND print = ANY ($2::text[])",
};
/** Twice as long as the log keeps what may trigger a send again, and longer than any message is sent for. */
const DAYS_STORED = 30;
const deleteStatement = {
  name: "lost_intents_delete",
  text: `DELETE FROM lost_intents WHERE created_at < now() - interval '${DAYS_STORED} days'`,
};
const SENDS_AT_A_TIME = 5_000;

/** Remembers for which occasions and addresses lost sends may have been handed over. Those of older versions have no print. */
export async function insertLostIntents(transaction: Transaction, sends: readonly LostSend[]): Promise<void> {
  const printed = sends.flatMap((send) => (send.print === undefined ? [] : [{ ...send, print: send.print }]));
  for (let from = 0; from < printed.length; from += SENDS_AT_A_TIME) {
    const some = printed.slice(from, from + SENDS_AT_A_TIME);
    await transaction.execute(insertStatement, [
      plainArray(some, ({ account }) => account),
      textArray(some, ({ print }) => print),
      textArray(some, ({ message }) => message),
      plainArray(some, ({ contact }) => contact),
      plainArray(some, ({ n }) => n),
    ]);
  }
}

/** Returns the keys of lost sends that may have been handed over, by print. */
export async function readLostIntents(
  session: Session,
  account: number,
  prints: readonly string[],
): Promise<ReadonlyMap<string, SendKey>> {
  if (prints.length === 0) return new Map();
  const values = [account, textArray(prints, (print) => print)];
  const rows = await session.query<SendKey & { print: string }>(readStatement, values);
  return new Map(rows.map(({ print, ...key }) => [print, key]));
}

export function deleteOldLostIntents(session: Session): Promise<number> {
  return session.execute(deleteStatement);
}
