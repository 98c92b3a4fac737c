import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";
import { keyArrays } from "./claimSends.ts";
import type { SendClaim } from "./insertSends.ts";
import {
  HELD_MS,
  SAME_KEY,
  SEND_COLUMNS,
  type SendKey,
  type SendState,
  STORE_NOW,
  type StoredSend,
} from "./sendRow.ts";

const stoppedStatement = {
  name: "sends_stopped",
  text: `SELECT m.account, m.id, m.status FROM batch_messages m
      JOIN (SELECT DISTINCT account, id FROM unnest($1::int[], $2::text[]) AS a (account, id)) AS asked USING (account, id)
    ORDER BY m.account, m.id FOR SHARE OF m`,
};

const STOPS: Readonly<Record<string, MessageStop>> = { paused: "held", canceled: "ended", failed: "ended" };

/** A send that is about to be handed over. */
export interface SendIntent extends SendKey {
  readonly address: string;
  readonly transport: string;
  readonly variant: string | null;
}

const intendStatement = {
  name: "sends_intend",
  text: `UPDATE sends s SET state = 'sending', reason = NULL, held_at = NULL, attempts = s.attempts + 1, intended_at = $8, at = $8,
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
export interface SendResolved extends SendKey {
  /** Number of the attempt that ends; of a send that was not attempted, of the one before. */
  readonly attempts: number;
  readonly state: Exclude<SendState, "sending">;
  readonly reason: string | null;
  readonly code: number | null;
  readonly text: string | null;
  /** Address of a send that was not attempted; that of an attempt is stored already. */
  readonly address?: string | null;
  /** Milliseconds since 1970; of `deferred` the next attempt. */
  readonly dueAt: number;
  /** Takes one of the times that it may go out again after an answer was lost. */
  readonly isResend?: boolean;
}

/** End of an attempt that is to be followed by another one, after its message has ended. Tests go their own way. */
const ENDED = "(s.kind = 'b' AND COALESCE(k.stop, '') = 'ended')";
/** The contact was erased while its send was on the way: whatever came of it is kept no more than of sends before. */
const ERASED = "(s.state = 'sending' AND s.reason = 'erased')";
/** A late answer ends a send that was taken for lost, and never makes it due again. */
const RESOLVED_NOW = `(s.state IN ('pending', 'deferred', 'sending') OR (s.state = 'unknown' AND k.state IN ('sent', 'failed')))`;
const resolveStatement = {
  name: "sends_settle",
  text: `UPDATE sends s SET
      state = CASE WHEN ${ERASED} THEN 'skipped' WHEN NOT ${ENDED} THEN k.state WHEN k.reason = 'answer-lost' THEN 'unknown' ELSE 'skipped' END,
      reason = CASE WHEN ${ERASED} THEN s.reason WHEN NOT ${ENDED} OR k.reason = 'answer-lost' THEN k.reason ELSE 'canceled' END,
      code = k.code, text = CASE WHEN ${ERASED} THEN NULL ELSE k.text END, address = COALESCE(k.address, s.address), at = $10,
      due_at = k.due_at + CASE WHEN s.kind = 'b' AND k.stop = 'held' THEN ${HELD_MS} ELSE 0 END,
      resends_left = s.resends_left - CASE WHEN k.is_resend THEN 1 ELSE 0 END, owner = NULL, claim_until = 0
    FROM unnest($2::text[], $3::bigint[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[], $9::bigint[],
        $12::boolean[], $13::text[], $14::int[], $15::text[])
      AS k (message, contact, n, state, reason, code, text, due_at, is_resend, stop, attempts, address)
    WHERE ${SAME_KEY} AND s.owner = $11 AND s.attempts = k.attempts AND ${RESOLVED_NOW}
    RETURNING s.account, s.message, s.contact, s.n`,
};

/**
 * Stores outcomes of the attempts that they are of. A send that was taken for lost is still resolved by its owner where the answer ends
 * it, unless it went out again. What was to be tried again is held with its message, and ends with it.
 * @returns those that were still the owner's.
 */
export async function resolveSends(
  transaction: Transaction,
  resolved: readonly SendResolved[],
  { account, owner, nowMs }: { readonly account: number; readonly owner: string; readonly nowMs: number },
): Promise<SendKey[]> {
  if (resolved.length === 0) return [];
  const again = resolved.filter(({ state }) => state === "deferred");
  const stopOf = await lockStopped(transaction, again);
  return transaction.query<SendKey>(resolveStatement, [
    account,
    ...keyArrays(resolved),
    textArray(resolved, ({ state }) => state),
    textArray(resolved, ({ reason }) => reason),
    plainArray(resolved, ({ code }) => code),
    textArray(resolved, ({ text }) => text),
    plainArray(resolved, ({ dueAt }) => dueAt),
    nowMs,
    owner,
    plainArray(resolved, ({ isResend = false }) => isResend),
    textArray(resolved, (one) => (one.state === "deferred" ? (stopOf(one) ?? null) : null)),
    plainArray(resolved, ({ attempts }) => attempts),
    textArray(resolved, ({ address = null }) => address),
  ]);
}

/** Services are not relied on to know an `Idempotency-Key` for longer. */
const IDEMPOTENT_MS = 86_400_000;
const lostStatement = {
  name: "sends_lost",
  text: `SELECT s.account, s.message, s.contact, s.n,
      COALESCE(t.type = 'http' AND t.settings::json ->> 'idempotent' = 'true' AND s.first_at > $2, false) AS "isIdempotent"
    FROM sends s LEFT JOIN transports t ON t.account = s.account AND t.id = s.transport
    WHERE s.state = 'sending' AND s.claim_until <= ${STORE_NOW}
    ORDER BY s.claim_until LIMIT $1 FOR UPDATE OF s SKIP LOCKED`,
};
const RESENT = "(k.is_idempotent OR s.resends_left > 0) AND NOT (s.kind = 'b' AND COALESCE(k.stop, '') = 'ended')";
const expireStatement = {
  name: "sends_expire",
  text: `UPDATE sends s SET at = $1, claim_until = 0,
      due_at = $1 + CASE WHEN s.kind = 'b' AND k.stop = 'held' THEN ${HELD_MS} ELSE 0 END,
      state = CASE WHEN ${ERASED} THEN 'skipped' WHEN ${RESENT} THEN 'deferred' ELSE 'unknown' END,
      reason = CASE WHEN ${ERASED} THEN s.reason ELSE 'answer-lost' END,
      owner = CASE WHEN ${RESENT} THEN NULL ELSE s.owner END,
      resends_left = s.resends_left - CASE WHEN ${RESENT} AND NOT k.is_idempotent THEN 1 ELSE 0 END
    FROM unnest($2::int[], $3::text[], $4::bigint[], $5::int[], $6::text[], $7::boolean[])
      AS k (account, message, contact, n, stop, is_idempotent)
    WHERE (s.account, s.message, s.contact, s.n) = (k.account, k.message, k.contact, k.n)
    RETURNING ${SEND_COLUMNS}`,
};

interface LostSend extends SendKey {
  /** The transport takes it once, however often it is handed over. */
  readonly isIdempotent: boolean;
}

/**
 * Ends intents whose sender was killed or sleeps: nobody knows whether they were handed over. Those over an idempotent transport are due
 * again for a day. @returns the rows as they are now.
 */
export async function expireSends(
  transaction: Transaction,
  { nowMs, sendsMax }: { readonly nowMs: number; readonly sendsMax: number },
): Promise<StoredSend[]> {
  const lost = await transaction.query<LostSend>(lostStatement, [sendsMax, nowMs - IDEMPOTENT_MS]);
  if (lost.length === 0) return [];
  const stopOf = await lockStopped(transaction, lost);
  return transaction.query(expireStatement, [
    nowMs,
    plainArray(lost, ({ account }) => account),
    ...keyArrays(lost),
    textArray(lost, (one) => stopOf(one) ?? null),
    plainArray(lost, ({ isIdempotent }) => isIdempotent),
  ]);
}

/** State of a batch message that makes no attempts now: a paused one holds its sends, one that is over ends them. */
type MessageStop = "held" | "ended";

/**
 * Returns the batch messages of sends that make no attempts now. None of them is paused, resumed or canceled before the transaction ends,
 * so that a send that becomes due again meets the state that its message has.
 */
async function lockStopped(
  transaction: Transaction,
  sends: readonly Pick<SendKey, "account" | "message">[],
): Promise<(send: Pick<SendKey, "account" | "message">) => MessageStop | undefined> {
  if (sends.length === 0) return () => undefined;
  const rows = await transaction.query<{ account: number; id: string; status: string }>(stoppedStatement, [
    plainArray(sends, ({ account }) => account),
    textArray(sends, ({ message }) => message),
  ]);
  const stops = new Map(rows.map(({ account, id, status }) => [`${account} ${id}`, STOPS[status]]));
  return ({ account, message }) => stops.get(`${account} ${message}`);
}
