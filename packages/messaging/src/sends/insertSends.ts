import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { NewSend, SendKey } from "./sendRow.ts";

/** State in which a send begins: `pending` is to be sent, `skipped` says why it is not. */
export type SendBegin =
  | { readonly state: "pending"; readonly reason?: undefined }
  | { readonly state: "skipped"; readonly reason: string };

export type BegunSend = NewSend & SendBegin;

/** Holder of sends that nobody else goes on with meanwhile. */
export interface SendClaim {
  /** Names one run of one sender. */
  readonly owner: string;
  readonly leaseMs: number;
}

const insertStatement = {
  name: "sends_insert",
  text: `INSERT INTO sends (account, message, contact, n, kind, cid, channel, classification, priority, variant, want, due_at, state,
      reason, created_at, at, owner, claim_until, resends_left, address, expires_at)
    SELECT $1, message, contact, n, kind, cid, channel, classification, priority, variant, want, due_at, state, reason, $14, $14, $15,
      CASE WHEN $16::bigint > 0 THEN (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $16::bigint ELSE 0 END, resends_left, address, expires_at
    FROM unnest($2::text[], $3::bigint[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[], $10::text[],
      $11::text[], $12::bigint[], $13::text[], $17::text[], $18::int[], $19::text[], $20::bigint[])
      AS r (message, contact, n, kind, cid, channel, classification, priority, variant, want, due_at, state, reason, resends_left, address,
        expires_at)
    ORDER BY message, contact, n
    ON CONFLICT (account, message, contact, n) DO NOTHING RETURNING account, message, contact, n`,
};
const numbersStatement = {
  name: "sends_numbers",
  text: `SELECT contact, max(n) AS last FROM sends WHERE account = $1 AND message = $2 AND contact = ANY ($3::bigint[]) GROUP BY contact`,
};

/**
 * Stores wanted sends of one account. A key that is there already stays as it is.
 * @param claim given where the caller goes on with them itself. @returns the keys that were new.
 */
export async function insertSends(
  transaction: Transaction,
  { account, sends, nowMs }: { readonly account: number; readonly sends: readonly BegunSend[]; readonly nowMs: number },
  claim?: SendClaim,
): Promise<SendKey[]> {
  if (sends.length === 0) return [];
  const of = (value: (send: BegunSend) => string | null) => textArray(sends, value);
  const numbers = (value: (send: BegunSend) => number) => plainArray(sends, value);
  return transaction.query<SendKey>(insertStatement, [
    account,
    of(({ message }) => message),
    numbers(({ contact }) => contact),
    numbers(({ n }) => n),
    of(({ kind }) => kind),
    of(({ cid }) => cid),
    of(({ channel }) => channel),
    of(({ classification }) => classification),
    numbers(({ priority }) => priority),
    of(({ variant }) => variant),
    of(({ want }) => want),
    numbers(({ dueAt }) => dueAt),
    of(({ state }) => state),
    nowMs,
    claim?.owner ?? null,
    claim?.leaseMs ?? 0,
    of(({ reason }) => reason ?? null),
    numbers(({ resendsLeft }) => resendsLeft),
    of(({ address }) => address),
    plainArray(sends, ({ expiresAt = null }) => expiresAt),
  ]);
}

/** Returns the last number that a message has for each of the contacts. Their rows are locked, so that no other call takes the next one. */
export async function lastSendNumbers(
  session: Session,
  { account, message }: Pick<SendKey, "account" | "message">,
  contacts: readonly number[],
): Promise<Map<number, number>> {
  const values = [account, message, plainArray(contacts, (contact) => contact)];
  const rows = await session.query<{ contact: number; last: number }>(numbersStatement, values);
  return new Map(rows.map(({ contact, last }) => [contact, last]));
}
