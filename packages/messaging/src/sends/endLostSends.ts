import type { PublishedIntent } from "@headwater/contracts";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";

/** A send whose intent was published and is lost: it may have been handed over. */
export interface LostSend extends PublishedIntent {
  readonly account: number;
  /** Time of the intent, in milliseconds since 1970. */
  readonly at: number;
}

const endStatement = {
  text: `INSERT INTO sends AS s (account, message, contact, n, kind, cid, channel, classification, priority, state, reason, attempts,
      resends_left, created_at, due_at, first_at, intended_at, at)
    SELECT account, message, contact, n, kind, cid, channel, classification, 1, 'unknown', 'answer-lost', attempts, 0, at, at, at, at, at
    FROM unnest($1::int[], $2::text[], $3::bigint[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[], $10::bigint[])
      AS r (account, message, contact, n, kind, cid, channel, classification, attempts, at)
    ON CONFLICT (account, message, contact, n) DO UPDATE SET state = 'unknown', reason = 'answer-lost', owner = NULL, claim_until = 0,
      attempts = GREATEST(s.attempts, EXCLUDED.attempts), intended_at = EXCLUDED.at, at = EXCLUDED.at,
      first_at = COALESCE(s.first_at, EXCLUDED.at)
    WHERE s.state IN ('pending', 'deferred', 'sending') OR s.attempts < EXCLUDED.attempts`,
};
const SENDS_AT_A_TIME = 5_000;

/** Ends sends that may have been handed over as `unknown`, those whose row is lost as well: nobody sends them again unasked. */
export async function endLostSends(transaction: Transaction, sends: readonly LostSend[]): Promise<number> {
  let ended = 0;
  for (let from = 0; from < sends.length; from += SENDS_AT_A_TIME) {
    const some = sends.slice(from, from + SENDS_AT_A_TIME);
    ended += await transaction.execute(endStatement, [
      plainArray(some, ({ account }) => account),
      textArray(some, ({ message }) => message),
      plainArray(some, ({ contact }) => contact),
      plainArray(some, ({ n }) => n),
      textArray(some, ({ kind }) => kind),
      textArray(some, ({ cid }) => cid),
      textArray(some, ({ channel }) => channel),
      textArray(some, ({ classification }) => classification),
      plainArray(some, ({ attempts }) => attempts),
      plainArray(some, ({ at }) => at),
    ]);
  }
  return ended;
}
