import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { Effect, Refusal } from "../orchestrations/run.ts";
import type { RunKey } from "./postgres.ts";

/** The run that wants an effect. */
interface OfRun {
  readonly account: number;
  /** Id of the run. */
  readonly run: string;
  readonly orchestration: string;
}

export interface StepRow extends OfRun {
  readonly visit: number;
  readonly node: string;
  /** Instant at which the run came to it, milliseconds since 1970. */
  readonly at: number;
  readonly edge: string | null;
  /** Null where the run ended. */
  readonly next: string | null;
}
export type GoalRow = OfRun & Pick<Extract<Effect, { kind: "goal" }>, "name" | "isHoldout"> & { readonly at: number };
export interface QuestionRow extends OfRun {
  readonly id: string;
  readonly version: number;
  readonly contact: number;
  /** Pointers into the version. */
  readonly criteria: readonly string[];
  readonly wantsZone: boolean;
  readonly field: string | null;
}
export interface TaskRow extends Omit<OfRun, "orchestration"> {
  /** Id of the effect. */
  readonly id: string;
  readonly kind: "call" | "write";
  readonly node: string;
  readonly contact: number;
  /** Id that all tries of a call share; null of a write. */
  readonly delivery: string | null;
}
export interface RefusalRow {
  readonly account: number;
  readonly orchestration: string;
  readonly reason: Refusal;
}

const stepsStatement = {
  name: "orchestration_steps_insert",
  text: `INSERT INTO orchestration_steps (account, run, visit, orchestration, node, at, edge, next)
    SELECT * FROM unnest($1::int[], $2::text[], $3::int[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[])
    ON CONFLICT DO NOTHING`,
};
const goalsStatement = {
  name: "orchestration_goals_insert",
  text: `INSERT INTO orchestration_goals (account, run, name, orchestration, is_holdout, at)
    SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::bigint[])
    ON CONFLICT DO NOTHING`,
};
const questionsStatement = {
  name: "orchestration_questions_insert",
  text: `INSERT INTO orchestration_questions (account, id, run, orchestration, version, contact, criteria, wants_zone, field, asked_at)
    SELECT account, id, run, orchestration, version, contact, ARRAY(SELECT json_array_elements_text(criteria::json)), wants_zone, field, $10
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[], $7::text[], $8::boolean[], $9::text[])
      AS k (account, id, run, orchestration, version, contact, criteria, wants_zone, field)
    ON CONFLICT DO NOTHING`,
};
const tasksStatement = {
  name: "orchestration_tasks_insert",
  text: `INSERT INTO orchestration_tasks (account, id, kind, run, node, contact, delivery, wanted_at)
    SELECT account, id, kind, run, node, contact, delivery, $8
    FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[])
      AS k (account, id, kind, run, node, contact, delivery)
    ON CONFLICT DO NOTHING`,
};
const refusalsStatement = {
  name: "orchestration_refusals_add",
  text: `INSERT INTO orchestration_count_changes (account, orchestration, kind, name, count)
    SELECT account, orchestration, 'refusal', reason, count(*)
      FROM unnest($1::int[], $2::text[], $3::text[]) AS k (account, orchestration, reason) GROUP BY 1, 2, 4`,
};

/** Stores the nodes that runs have left. What is stored under its visit already stays as it is, as do all effects below. */
export async function insertSteps(transaction: Transaction, rows: readonly StepRow[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(stepsStatement, [
    plainArray(rows, ({ account }) => account),
    textArray(rows, ({ run }) => run),
    plainArray(rows, ({ visit }) => visit),
    textArray(rows, ({ orchestration }) => orchestration),
    textArray(rows, ({ node }) => node),
    plainArray(rows, ({ at }) => at),
    textArray(rows, ({ edge }) => edge),
    textArray(rows, ({ next }) => next),
  ]);
}

/** Stores goals that runs reached. */
export async function insertGoals(transaction: Transaction, rows: readonly GoalRow[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(goalsStatement, [
    plainArray(rows, ({ account }) => account),
    textArray(rows, ({ run }) => run),
    textArray(rows, ({ name }) => name),
    textArray(rows, ({ orchestration }) => orchestration),
    plainArray(rows, ({ isHoldout }) => isHoldout),
    plainArray(rows, ({ at }) => at),
  ]);
}

export async function insertQuestions(
  transaction: Transaction,
  rows: readonly QuestionRow[],
  nowMs: number,
): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(questionsStatement, [
    plainArray(rows, ({ account }) => account),
    textArray(rows, ({ id }) => id),
    textArray(rows, ({ run }) => run),
    textArray(rows, ({ orchestration }) => orchestration),
    plainArray(rows, ({ version }) => version),
    plainArray(rows, ({ contact }) => contact),
    textArray(rows, ({ criteria }) => JSON.stringify(criteria)),
    plainArray(rows, ({ wantsZone }) => wantsZone),
    textArray(rows, ({ field }) => field),
    nowMs,
  ]);
}

export async function insertTasks(transaction: Transaction, rows: readonly TaskRow[], nowMs: number): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(tasksStatement, [
    plainArray(rows, ({ account }) => account),
    textArray(rows, ({ id }) => id),
    textArray(rows, ({ kind }) => kind),
    textArray(rows, ({ run }) => run),
    textArray(rows, ({ node }) => node),
    plainArray(rows, ({ contact }) => contact),
    textArray(rows, ({ delivery }) => delivery),
    nowMs,
  ]);
}

/** Counts contacts that did not enter. */
export async function addRefusals(transaction: Transaction, rows: readonly RefusalRow[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(refusalsStatement, [
    plainArray(rows, ({ account }) => account),
    textArray(rows, ({ orchestration }) => orchestration),
    textArray(rows, ({ reason }) => reason),
  ]);
}

const ENDED = "unnest($1::int[], $2::text[]) AS k (account, id) WHERE (t.account, t.run) = (k.account, k.id)";
const questionsEndedStatement = {
  name: "orchestration_questions_end",
  text: `DELETE FROM orchestration_questions t USING ${ENDED}`,
};
const tasksEndedStatement = {
  name: "orchestration_tasks_end",
  text: `DELETE FROM orchestration_tasks t USING ${ENDED}`,
};

/** Deletes what runs that have ended still asked for. */
export async function deleteAsked(transaction: Transaction, runs: readonly RunKey[]): Promise<void> {
  if (runs.length === 0) return;
  const keys = [plainArray(runs, ({ account }) => account), textArray(runs, ({ id }) => id)];
  await Promise.all([
    transaction.execute(questionsEndedStatement, keys),
    transaction.execute(tasksEndedStatement, keys),
  ]);
}
