import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { OrchestrationName } from "../orchestrations/postgres.ts";

/** An audience whose contacts start runs when they enter it. */
export interface AudienceTrigger extends OrchestrationName {
  /** Key of the saved audience. */
  readonly audience: string;
  /** Instant of the last count, milliseconds since 1970; 0 where all that are in it enter. */
  readonly countedAt: number;
}

const setStatement = {
  name: "orchestration_audiences_set",
  text: `INSERT INTO orchestration_audiences AS a (account, orchestration, audience, counted_at, due_at) VALUES ($1, $2, $3, $4, 0)
    ON CONFLICT (account, orchestration) DO UPDATE SET audience = EXCLUDED.audience, counted_at = EXCLUDED.counted_at, due_at = 0
    WHERE a.audience <> EXCLUDED.audience`,
};
const deleteStatement = {
  name: "orchestration_audiences_delete",
  text: "DELETE FROM orchestration_audiences WHERE account = $1 AND orchestration = $2",
};
const claimStatement = {
  name: "orchestration_audiences_claim",
  text: `UPDATE orchestration_audiences a SET due_at = $2
    FROM (SELECT account, orchestration FROM orchestration_audiences WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) k
    WHERE (a.account, a.orchestration) = (k.account, k.orchestration)
    RETURNING a.account, a.orchestration, a.audience, a.counted_at AS "countedAt"`,
};
const countedStatement = {
  name: "orchestration_audiences_counted",
  text: `UPDATE orchestration_audiences SET counted_at = $4, due_at = $5
    WHERE account = $1 AND orchestration = $2 AND counted_at = $3`,
};

/** Begins to count an audience; one that is counted already goes on from its last count. */
export async function setAudienceTrigger(
  transaction: Transaction,
  { account, orchestration, audience, countedAt }: AudienceTrigger,
): Promise<void> {
  await transaction.execute(setStatement, [account, orchestration, audience, countedAt]);
}

/** Ends the counts of an orchestration. */
export async function deleteAudienceTrigger(
  transaction: Transaction,
  { account, orchestration }: OrchestrationName,
): Promise<void> {
  await transaction.execute(deleteStatement, [account, orchestration]);
}

/** Claims the audience that is due longest. Nobody else counts it before `untilMs`. */
export async function claimAudience(
  session: Session,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<AudienceTrigger | undefined> {
  const [trigger] = await session.query<AudienceTrigger>(claimStatement, [nowMs, untilMs]);
  return trigger;
}

/** Notes that everybody who entered up to an instant has started, and when the next count is due. Nothing where somebody else was quicker. */
export async function noteCounted(
  session: Session,
  { account, orchestration, countedAt }: AudienceTrigger,
  { atMs, dueAt }: { readonly atMs: number; readonly dueAt: number },
): Promise<void> {
  await session.execute(countedStatement, [account, orchestration, countedAt, atMs, dueAt]);
}
