import type { Session, Transaction } from "@headwater/postgres/connection/session";

export interface TemplateExperimentKey {
  readonly account: number;
  readonly mdtId: string;
}

export interface TemplateExperiment extends TemplateExperimentKey {
  /** Hash of the experiment and its contents. */
  readonly definition: string;
  /** Milliseconds since 1970: sends before it are of another experiment. */
  readonly beganAt: number;
  /** Time at which the first send of a champion's test was found. */
  readonly testBeganAt: number | null;
  /** Time of the next check; null where there is nothing to learn. */
  readonly lookAt: number | null;
  /** JSON text of what was learnt. */
  readonly learnt: string | null;
}

const setStatement = {
  name: "template_experiments_set",
  text: `INSERT INTO template_experiments AS e (account, mdt_id, definition, began_at, look_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (account, mdt_id) DO UPDATE SET definition = EXCLUDED.definition, began_at = EXCLUDED.began_at,
      look_at = EXCLUDED.look_at, test_began_at = NULL, learnt = NULL
    WHERE e.definition <> EXCLUDED.definition`,
};
const deleteStatement = {
  name: "template_experiments_drop",
  text: "DELETE FROM template_experiments WHERE account = $1 AND mdt_id = $2",
};
const COLUMNS = `e.account, e.mdt_id AS "mdtId", e.definition, e.began_at AS "beganAt", e.test_began_at AS "testBeganAt",
  e.look_at AS "lookAt", e.learnt`;
const readStatement = {
  name: "template_experiments_read",
  text: `SELECT ${COLUMNS} FROM template_experiments e WHERE e.account = $1 AND e.mdt_id = $2`,
};
const dueStatement = {
  name: "template_experiments_due",
  text: `SELECT ${COLUMNS}, t.key FROM template_experiments e
    JOIN automation_templates t ON t.account = e.account AND t.mdt_id = e.mdt_id
    WHERE e.look_at <= $1 ORDER BY e.look_at LIMIT $2`,
};
const sentStatement = {
  name: "template_experiments_sent",
  text: `SELECT EXISTS (SELECT FROM template_children c JOIN sends s ON s.account = c.account AND s.message = c.id
      WHERE c.account = $1 AND c.mdt_id = $2 AND c.ends_at > $3 AND s.variant IS NOT NULL AND s.first_at >= $3) AS sent`,
};
const learnStatement = {
  name: "template_experiments_learn",
  text: `UPDATE template_experiments SET learnt = $5, test_began_at = $6, look_at = $7
    WHERE account = $1 AND mdt_id = $2 AND definition = $3 AND learnt IS NOT DISTINCT FROM $4`,
};

/** Stores the experiment of a published template. One that stays the same keeps what it has learnt. */
export async function setTemplateExperiment(
  transaction: Transaction,
  { account, mdtId, definition, beganAt, lookAt: checkIn }: Omit<TemplateExperiment, "testBeganAt" | "learnt">,
): Promise<void> {
  await transaction.execute(setStatement, [account, mdtId, definition, beganAt, checkIn]);
}

export async function deleteTemplateExperiment(
  transaction: Transaction,
  { account, mdtId }: TemplateExperimentKey,
): Promise<void> {
  await transaction.execute(deleteStatement, [account, mdtId]);
}

export async function readTemplateExperiment(
  session: Session,
  { account, mdtId }: TemplateExperimentKey,
): Promise<TemplateExperiment | undefined> {
  const values = [account, mdtId];
  const [row] = await session.query<TemplateExperiment>(readStatement, values);
  return row;
}

/** An experiment that is to be checked, with the key of its template. */
export type DueTemplateExperiment = TemplateExperiment & { readonly key: string };

export function dueTemplateExperiments(
  session: Session,
  nowMs: number,
  rowsMax: number,
): Promise<DueTemplateExperiment[]> {
  return session.query<DueTemplateExperiment>(dueStatement, [nowMs, rowsMax]);
}

/** Returns whether a variant was tried to be sent since the experiment began. */
export async function hasSentVariant(
  session: Session,
  { account, mdtId, beganAt }: Pick<TemplateExperiment, "account" | "mdtId" | "beganAt">,
): Promise<boolean> {
  const [row] = await session.query<{ sent: boolean }>(sentStatement, [account, mdtId, beganAt]);
  return row?.sent === true;
}

/** Stores what was learnt and when to look next, unless the experiment or what it has learnt changed meanwhile. */
export async function storeTemplateLearnt(
  session: Session,
  { account, mdtId, definition, learnt }: TemplateExperiment,
  next: Pick<TemplateExperiment, "learnt" | "testBeganAt" | "lookAt">,
): Promise<void> {
  const key = [account, mdtId, definition, learnt];
  await session.execute(learnStatement, [...key, next.learnt, next.testBeganAt, next.lookAt]);
}
