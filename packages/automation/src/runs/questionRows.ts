import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** A question of a run about its contact. */
export interface Question {
  readonly account: number;
  readonly id: string;
  readonly run: string;
  readonly orchestration: string;
  readonly version: number;
  readonly contact: number;
  /** JSON text: pointers into the version. */
  readonly criteria: string;
  readonly wantsZone: boolean;
  readonly field: string | null;
}

const STORE_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
const claimStatement = {
  name: "orchestration_questions_claim",
  text: `UPDATE orchestration_questions q SET claimed_until = ${STORE_NOW} + $3
    FROM (SELECT account, id FROM orchestration_questions WHERE asked_at <= $1 AND claimed_until <= ${STORE_NOW}
      ORDER BY asked_at LIMIT $2 FOR UPDATE SKIP LOCKED) k
    WHERE (q.account, q.id) = (k.account, k.id)
    RETURNING q.account, q.id, q.run, q.orchestration, q.version, q.contact, array_to_json(q.criteria)::text AS criteria,
      q.wants_zone AS "wantsZone", q.field`,
};
const takeStatement = {
  name: "orchestration_questions_take",
  text: `DELETE FROM orchestration_questions q USING unnest($1::int[], $2::text[]) AS k (account, id)
    WHERE (q.account, q.id) = (k.account, k.id) RETURNING q.id`,
};

/** Claims questions that were asked by an instant, the oldest first. */
export function claimQuestions(
  session: Session,
  {
    untilMs,
    questionsMax,
    claimMs,
  }: { readonly untilMs: number; readonly questionsMax: number; readonly claimMs: number },
): Promise<Question[]> {
  return session.query(claimStatement, [untilMs, questionsMax, claimMs]);
}

/** Takes questions away that are answered. @returns the ids of those that nobody else answered, and whose runs did not end. */
export async function takeQuestions(
  transaction: Transaction,
  questions: readonly Pick<Question, "account" | "id">[],
): Promise<ReadonlySet<string>> {
  const keys = [plainArray(questions, ({ account }) => account), textArray(questions, ({ id }) => id)];
  const rows = await transaction.query<{ id: string }>(takeStatement, keys);
  return new Set(rows.map(({ id }) => id));
}
