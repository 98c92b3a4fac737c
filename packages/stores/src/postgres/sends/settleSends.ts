import { plainArray, textArray } from "../connection/arrays.ts";
import type { Session, Transaction } from "../connection/session.ts";
import { keyArrays } from "./claimSends.ts";
import type { SendClaim } from "./insertSends.ts";
import { SAME_KEY, SEND_COLUMNS, type SendKey, type SendState, STORE_NOW, type StoredSend } from "./sendRow.ts";

/** A send that is about to be handed over. */
export interface SendIntent extends SendKey {
  readonly address: string;
  readonly transport: string;
  readonly variant: string | null;
}

const intendStatement = {
  name: "sends_intend",
  text: `UPDATE sends s SET state = 'sending', reason = NULL, attempts = s.attempts + 1, intended_at = $8, at = $8,
      first_at = COALESCE(s.first_at, $8), claim_until = ${STORE_NOW} + $9::bigint, address = k.address, transport = k.transport,
      variant = k.variant, code = NULL, text = NULL
    FROM unnest($2::text[], $3::bigint[], $4::int[], $5::text[], $6::text[], $7::text[])
      AS k (message, contact, n, address, transport, variant)
    WHERE ${SAME_KEY} AND s.owner = $10 AND s.state IN ('pending', 'deferred') AND s.claim_until > ${STORE_NOW}
    RETURNING s.account, s.message, s.contact, s.n, s.attempts`,
};

/**
 * Turns claimed sends into intents. Once this is committed the first byte may leave, and nobody else ever takes them for not begun.
 * @returns those whose claim still held, with the number of the attempt.
 */
export async function intendSends(
  transaction: Transaction,
  intents: readonly SendIntent[],
  { account, owner, leaseMs, nowMs }: SendClaim & { readonly account: number; readonly nowMs: number },
): Promise<(SendKey & { readonly attempts: number })[]> {
  if (intents.length === 0) return [];
  return transaction.query<SendKey & { attempts: number }>(intendStatement, [
    account,
    ...keyArrays(intents),
    textArray(intents, ({ address }) => address),
    textArray(intents, ({ transport }) => transport),
    textArray(intents, ({ variant }) => variant),
    nowMs,
    leaseMs,
    owner,
  ]);
}

/** The end of an attempt, or of a send that was not attempted. */
export interface SendSettled extends SendKey {
  readonly state: Exclude<SendState, "sending">;
  readonly reason: string | null;
  readonly code: number | null;
  readonly text: string | null;
  /** Milliseconds since 1970; of `deferred` the next attempt. */
  readonly dueAt: number;
  /** Takes one of the times that it may go out again after an answer was lost. */
  readonly isResend?: boolean;
}

const settleStatement = {
  name: "sends_settle",
  text: `UPDATE sends s SET state = k.state, reason = k.reason, code = k.code, text = k.text, due_at = k.due_at, at = $10,
      resends_left = s.resends_left - CASE WHEN k.is_resend THEN 1 ELSE 0 END, owner = NULL, claim_until = 0
    FROM unnest($2::text[], $3::bigint[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[], $9::bigint[],
        $12::boolean[])
      AS k (message, contact, n, state, reason, code, text, due_at, is_resend)
    WHERE ${SAME_KEY} AND s.owner = $11 AND s.state IN ('pending', 'deferred', 'sending', 'unknown')
    RETURNING s.account, s.message, s.contact, s.n`,
};

/**
 * Stores outcomes. A send that another took for lost is still settled by its owner, unless it went out again.
 * @returns those that were still the owner's.
 */
export async function settleSends(
  transaction: Transaction,
  settled: readonly SendSettled[],
  { account, owner, nowMs }: { readonly account: number; readonly owner: string; readonly nowMs: number },
): Promise<SendKey[]> {
  if (settled.length === 0) return [];
  return transaction.query<SendKey & Record<string, unknown>>(settleStatement, [
    account,
    ...keyArrays(settled),
    textArray(settled, ({ state }) => state),
    textArray(settled, ({ reason }) => reason),
    plainArray(settled, ({ code }) => code),
    textArray(settled, ({ text }) => text),
    plainArray(settled, ({ dueAt }) => dueAt),
    nowMs,
    owner,
    plainArray(settled, ({ isResend = false }) => isResend),
  ]);
}

const RESENT = "s.resends_left > 0";
const expireStatement = {
  name: "sends_expire",
  text: `WITH lost AS (
      SELECT account, message, contact, n FROM sends WHERE state = 'sending' AND claim_until <= ${STORE_NOW}
      ORDER BY claim_until LIMIT $2 FOR UPDATE SKIP LOCKED)
    UPDATE sends s SET at = $1, claim_until = 0, due_at = $1,
      state = CASE WHEN ${RESENT} THEN 'deferred' ELSE 'unknown' END,
      reason = 'answer-lost',
      owner = CASE WHEN ${RESENT} THEN NULL ELSE s.owner END,
      resends_left = s.resends_left - CASE WHEN ${RESENT} THEN 1 ELSE 0 END
    FROM lost WHERE (s.account, s.message, s.contact, s.n) = (lost.account, lost.message, lost.contact, lost.n)
    RETURNING ${SEND_COLUMNS}`,
};

/** Ends intents whose sender was killed or sleeps: nobody can tell whether they were handed over. @returns the rows as they are now. */
export function expireSends(
  session: Session,
  { nowMs, sendsMax }: { readonly nowMs: number; readonly sendsMax: number },
): Promise<StoredSend[]> {
  return session.query(expireStatement, [nowMs, sendsMax]);
}
