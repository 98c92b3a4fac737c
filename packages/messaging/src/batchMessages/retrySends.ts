import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { STORE_NOW } from "../sends/sendRow.ts";
import type { BatchMessageKey } from "./batchMessages.ts";

/** States of sends that may be tried again when somebody asks for it. */
export const RETRIED_STATES = ["failed", "unknown", "deferred"] as const;
export type RetriedState = (typeof RETRIED_STATES)[number];

const pageStatement = {
  name: "sends_retry_page",
  text: `SELECT max(contact) AS last FROM (
      SELECT contact FROM sends WHERE account = $1 AND message = $2 AND kind = 'b' AND contact > $3 ORDER BY contact LIMIT $4) AS page`,
};
/** Rows that have ended begin again, so that another number of a merged contact that got it counts; deferred ones are due at once. */
const retryStatement = {
  name: "sends_retry",
  text: `UPDATE sends SET
      state = CASE WHEN state = 'deferred' THEN state ELSE 'pending' END,
      first_at = CASE WHEN state = 'deferred' THEN first_at END,
      resends_left = CASE WHEN state = 'deferred' THEN resends_left ELSE 0 END,
      code = CASE WHEN state = 'deferred' THEN code END, text = CASE WHEN state = 'deferred' THEN text END,
      retried_from = state, retry = $6, attempts_before = attempts, due_at = $7, at = $7, owner = NULL, claim_until = 0
    WHERE account = $1 AND message = $2 AND kind = 'b' AND contact > $3 AND contact <= $4 AND state = ANY ($5::text[])
      AND claim_until <= ${STORE_NOW}`,
};
const countStatement = {
  name: "sends_retry_count",
  text: `SELECT count(*) AS total, count(*) FILTER (WHERE state IN ('pending', 'sending', 'deferred')) AS open,
      count(*) FILTER (WHERE state = 'sent') AS sent
    FROM sends WHERE account = $1 AND message = $2 AND retry = $3`,
};
const cancelStatement = {
  name: "sends_retry_cancel",
  text: `UPDATE sends SET state = COALESCE(NULLIF(retried_from, 'deferred'), 'failed'), at = $4, owner = NULL, claim_until = 0,
      reason = CASE WHEN retried_from = 'unknown' THEN 'answer-lost' ELSE 'canceled' END
    WHERE account = $1 AND message = $2 AND retry = $3 AND state = 'pending'`,
};

export interface Retrying extends BatchMessageKey {
  /** Id of the job. */
  readonly job: string;
  readonly states: readonly RetriedState[];
  /** Contact that was checked last; 0 at first. */
  readonly after: number;
  readonly rowsMax: number;
}

/**
 * Makes the sends of the next contacts due again, each once for a job that goes through them in order. Their attempts keep their
 * numbers, so that a sender that slept since an earlier one cannot resolve them.
 * @returns the last contact and the number of sends; undefined when all have been checked.
 */
export async function retrySends(
  transaction: Transaction,
  { account, id, job, states, after, rowsMax }: Retrying,
  nowMs: number,
): Promise<{ readonly last: number; readonly retried: number } | undefined> {
  const [page] = await transaction.query<{ last: number | null }>(pageStatement, [account, id, after, rowsMax]);
  if (page?.last == null) return undefined;
  const named = textArray(states, (state) => state);
  const retried = await transaction.execute(retryStatement, [account, id, after, page.last, named, job, nowMs]);
  return { last: page.last, retried };
}

/** Sends that a retry made due: all, those that have not ended, and those that were handed over. */
export interface RetryCounts {
  readonly total: number;
  readonly open: number;
  readonly sent: number;
}

export async function countRetried(
  session: Session,
  { account, id, job }: Pick<Retrying, "account" | "id" | "job">,
): Promise<RetryCounts> {
  const [row] = await session.query<RetryCounts>(countStatement, [account, id, job]);
  return row ?? { total: 0, open: 0, sent: 0 };
}

/** Gives sends that a retry made due, and that nobody has begun, the state back that they had. */
export async function cancelRetry(
  transaction: Transaction,
  { account, id, job }: Pick<Retrying, "account" | "id" | "job">,
  nowMs: number,
): Promise<void> {
  await transaction.execute(cancelStatement, [account, id, job, nowMs]);
}
