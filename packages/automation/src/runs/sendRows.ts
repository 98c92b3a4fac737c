import { HELD_MS } from "@headwater/messaging/sends/sendRow";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { OrchestrationName } from "../orchestrations/postgres.ts";

/** A send that a run wants, as the run finds it again. */
export interface RunSendRow {
  readonly account: number;
  readonly want: string;
  /** Id of the effect. */
  readonly effect: string;
  readonly run: string;
  readonly orchestration: string;
  readonly node: string;
  readonly template: string;
  readonly message: string;
  /** Number of the contact that it is for. */
  readonly contact: number;
  readonly cid: string;
  readonly n: number;
  /** Reason why there is no send: its template or contact is gone, and message, contact and number are empty. */
  readonly reason?: string;
}

/** A send of a run that has ended. */
export interface EndedSend {
  readonly account: number;
  readonly want: string;
  /** Null where the run was deleted. */
  readonly run: string | null;
  readonly effect: string | null;
  readonly state: string;
  readonly reason: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const insertStatement = {
  name: "orchestration_sends_insert",
  text: `INSERT INTO orchestration_sends (account, want, effect, run, orchestration, node, template, message, cid, n, reason, contact)
    SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::int[],
      $11::text[], $12::bigint[])`,
};
const endedStatement = {
  name: "ended_sends_claim",
  text: `SELECT e.account, e.want, o.run, o.effect, e.state, e.reason, e.at FROM ended_sends e
    LEFT JOIN orchestration_sends o ON (o.account, o.want) = (e.account, e.want)
    LIMIT $1 FOR UPDATE OF e SKIP LOCKED`,
};
const deleteEndedStatement = {
  name: "ended_sends_delete",
  text: `DELETE FROM ended_sends e USING unnest($1::int[], $2::text[]) AS k (account, want)
    WHERE (e.account, e.want) = (k.account, k.want)`,
};
const reasonStatement = {
  name: "orchestration_sends_reason",
  text: `UPDATE orchestration_sends o SET reason = k.reason
    FROM unnest($1::int[], $2::text[], $3::text[]) AS k (account, want, reason) WHERE (o.account, o.want) = (k.account, k.want)`,
};
/** A send whose answer was lost before may have arrived: it does not end as canceled. */
const cancelStatement = {
  name: "orchestration_sends_cancel",
  text: `UPDATE sends s SET state = CASE WHEN s.reason = 'answer-lost' THEN 'unknown' ELSE 'skipped' END,
      reason = CASE WHEN s.reason = 'answer-lost' THEN s.reason ELSE 'canceled' END, at = $3
    FROM unnest($1::int[], $2::text[]) AS k (account, effect)
      JOIN orchestration_sends o ON (o.account, o.effect) = (k.account, k.effect)
    WHERE s.account = o.account AND s.message = o.message AND s.contact = o.contact AND s.n = o.n AND s.want = o.want
      AND s.state IN ('pending', 'deferred')`,
};
const ofMessagesStatement = {
  name: "orchestration_sends_of_messages",
  text: `SELECT o.account, o.message, o.cid, o.n, o.run, o.template FROM unnest($1::int[], $2::text[], $3::text[], $4::int[])
      AS k (account, message, cid, n)
    JOIN orchestration_sends o ON (o.account, o.message, o.cid, o.n) = (k.account, k.message, k.cid, k.n)`,
};

export async function insertRunSends(transaction: Transaction, rows: readonly RunSendRow[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(insertStatement, [
    plainArray(rows, ({ account }) => account),
    textArray(rows, ({ want }) => want),
    textArray(rows, ({ effect }) => effect),
    textArray(rows, ({ run }) => run),
    textArray(rows, ({ orchestration }) => orchestration),
    textArray(rows, ({ node }) => node),
    textArray(rows, ({ template }) => template),
    textArray(rows, ({ message }) => message),
    textArray(rows, ({ cid }) => cid),
    plainArray(rows, ({ n }) => n),
    textArray(rows, ({ reason }) => reason ?? null),
    plainArray(rows, ({ contact }) => contact),
  ]);
}

/** Claims sends that have ended and that nobody else works on. */
export function claimEndedSends(transaction: Transaction, sendsMax: number): Promise<EndedSend[]> {
  return transaction.query(endedStatement, [sendsMax]);
}

/** Takes ended sends away, and notes why contacts did not get them. */
export async function resolveEndedSends(transaction: Transaction, ended: readonly EndedSend[]): Promise<void> {
  if (ended.length === 0) return;
  const keys = (rows: readonly EndedSend[]) => [
    plainArray(rows, ({ account }) => account),
    textArray(rows, ({ want }) => want),
  ];
  await transaction.execute(deleteEndedStatement, keys(ended));
  const skipped = ended.filter(({ state }) => state === "skipped");
  if (skipped.length === 0) return;
  await transaction.execute(reasonStatement, [
    ...keys(skipped),
    textArray(skipped, ({ reason }) => reason ?? "skipped"),
  ]);
}

/** Cancels sends that no sender has begun. */
export async function cancelSends(
  transaction: Transaction,
  cancels: readonly { readonly account: number; readonly effect: string }[],
  nowMs: number,
): Promise<void> {
  if (cancels.length === 0) return;
  const keys = [plainArray(cancels, ({ account }) => account), textArray(cancels, ({ effect }) => effect)];
  await transaction.execute(cancelStatement, [...keys, nowMs]);
}

/** Sends of an orchestration that no sender has begun: those of its account that wait are few. */
const OWN = `FROM orchestration_sends o WHERE s.account = $1 AND s.kind = 'o' AND s.state IN ('pending', 'deferred')
      AND o.account = s.account AND o.want = s.want AND o.orchestration = $2`;
const holdStatement = {
  name: "orchestration_sends_hold",
  text: `UPDATE sends s SET due_at = s.due_at + ${HELD_MS} ${OWN} AND s.due_at < ${HELD_MS}`,
};
const freeStatement = {
  name: "orchestration_sends_free",
  text: `UPDATE sends s SET due_at = s.due_at - ${HELD_MS} ${OWN} AND s.due_at >= ${HELD_MS}`,
};

/** Holds the sends of an orchestration that is disabled. */
export async function holdRunSends(
  transaction: Transaction,
  { account, orchestration }: OrchestrationName,
): Promise<void> {
  await transaction.execute(holdStatement, [account, orchestration]);
}

/** Lets the sends of an orchestration go that is enabled again. */
export async function freeRunSends(
  transaction: Transaction,
  { account, orchestration }: OrchestrationName,
): Promise<void> {
  await transaction.execute(freeStatement, [account, orchestration]);
}

/** Names a send as its mcID does. */
export type SentMessage = Pick<RunSendRow, "account" | "message" | "cid" | "n">;

/** Returns the runs that wanted some sends, with the templates. */
export function readRunsOfSends(
  session: Session,
  sent: readonly SentMessage[],
): Promise<(SentMessage & Pick<RunSendRow, "run" | "template">)[]> {
  if (sent.length === 0) return Promise.resolve([]);
  return session.query(ofMessagesStatement, [
    plainArray(sent, ({ account }) => account),
    textArray(sent, ({ message }) => message),
    textArray(sent, ({ cid }) => cid),
    plainArray(sent, ({ n }) => n),
  ]);
}
