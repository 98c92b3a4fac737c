import type { Transaction } from "@headwater/postgres/connection/session";
import type { OrchestrationName } from "../orchestrations/postgres.ts";

/** Something to be done with all runs of an orchestration, some of them at a time. */
export interface NewSweep extends OrchestrationName {
  /** They go on after it was enabled, are moved to a version, or end with it. */
  readonly kind: "wake" | "migrate" | "delete";
  /** The version to which they are moved. */
  readonly version?: number;
}

export interface Sweep extends OrchestrationName {
  readonly id: number;
  readonly kind: NewSweep["kind"];
  readonly version: number | null;
  /** Id of the last run that was dealt with; empty at first. */
  readonly cursor: string;
}

const insertStatement = {
  name: "orchestration_sweeps_insert",
  text: "INSERT INTO orchestration_sweeps (account, orchestration, kind, version) VALUES ($1, $2, $3, $4)",
};
const nextStatement = {
  name: "orchestration_sweeps_next",
  text: `SELECT id, account, orchestration, kind, version, cursor FROM orchestration_sweeps s
    WHERE NOT EXISTS (SELECT FROM orchestration_sweeps o WHERE (o.account, o.orchestration) = (s.account, s.orchestration) AND o.id < s.id)
    ORDER BY id LIMIT 1 FOR NO KEY UPDATE OF s SKIP LOCKED`,
};
const moveStatement = {
  name: "orchestration_sweeps_move",
  text: "UPDATE orchestration_sweeps SET cursor = $2 WHERE id = $1",
};
const deleteStatement = { name: "orchestration_sweeps_delete", text: "DELETE FROM orchestration_sweeps WHERE id = $1" };

export async function insertSweep(
  transaction: Transaction,
  { account, orchestration, kind, version }: NewSweep,
): Promise<void> {
  await transaction.execute(insertStatement, [account, orchestration, kind, version ?? null]);
}

/** Claims the oldest sweep that nobody else works on; those of one orchestration follow one another. */
export async function claimSweep(transaction: Transaction): Promise<Sweep | undefined> {
  const [sweep] = await transaction.query<Sweep>(nextStatement);
  return sweep;
}

/** Notes how far a sweep is; undefined when it is over. */
export async function moveSweep(
  transaction: Transaction,
  { id }: Pick<Sweep, "id">,
  cursor: string | undefined,
): Promise<void> {
  await (cursor === undefined
    ? transaction.execute(deleteStatement, [id])
    : transaction.execute(moveStatement, [id, cursor]));
}
