import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { deletePieces } from "@headwater/postgres/connection/oldRows";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { OrchestrationName } from "../orchestrations/postgres.ts";
import type { RunKey } from "./postgres.ts";

/** Runs are listed, with their steps, until so long after their end: last year's season can be compared with this one's. */
export const ENDED_RUN_DAYS = 400;
const DAY_MS = 86_400_000;
/** Runs that one transaction deletes: each may have hundreds of steps. */
const RUNS_AT_ONCE = 500;

/** A goal that may still be reached keeps its run. */
const oldStatement = {
  name: "orchestration_runs_old",
  text: `SELECT account, id FROM orchestration_runs WHERE ended_at < $1 AND observed_until < $2 ORDER BY ended_at LIMIT $3
    FOR UPDATE SKIP LOCKED`,
};
const OWN = "unnest($1::int[], $2::text[]) AS k (account, id) WHERE (t.account, t.run) = (k.account, k.id)";
const ownStatements = [
  { name: "orchestration_steps_delete_old", text: `DELETE FROM orchestration_steps t USING ${OWN}` },
  { name: "orchestration_goals_delete_old", text: `DELETE FROM orchestration_goals t USING ${OWN}` },
  { name: "orchestration_sends_delete_old", text: `DELETE FROM orchestration_sends t USING ${OWN}` },
  {
    name: "orchestration_runs_delete_old",
    text: `DELETE FROM orchestration_runs t USING unnest($1::int[], $2::text[]) AS k (account, id) WHERE (t.account, t.id) = (k.account, k.id)`,
  },
] as const;

/**
 * Deletes runs that ended long ago, with all that is stored of them, some at a time. Their numbers stay, and so do the entries of their contacts: who
 * may enter once has entered.
 * @returns how many.
 */
export function deleteOldRuns(postgres: Postgres, nowMs: number): Promise<number> {
  const before = nowMs - ENDED_RUN_DAYS * DAY_MS;
  return deletePieces(async (rowsMax) => {
    let deleted = 0;
    while (deleted < rowsMax) {
      const runs = await postgres.transaction((transaction) => deleteSome(transaction, before, nowMs));
      deleted += runs;
      if (runs < RUNS_AT_ONCE) break;
    }
    return deleted;
  });
}

async function deleteSome(transaction: Transaction, before: number, nowMs: number): Promise<number> {
  const runs = await transaction.query<RunKey>(oldStatement, [before, nowMs, RUNS_AT_ONCE]);
  if (runs.length === 0) return 0;
  const keys = [plainArray(runs, ({ account }) => account), textArray(runs, ({ id }) => id)];
  for (const statement of ownStatements) await transaction.execute(statement, keys);
  return runs.length;
}

/** Rows of an orchestration that one transaction deletes. */
const ROWS_AT_ONCE = 5_000;
const entriesStatement = {
  name: "orchestration_entries_delete",
  text: `DELETE FROM orchestration_entries WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM orchestration_entries WHERE account = $1 AND orchestration = $2 LIMIT $3 FOR UPDATE))`,
};
const ordersStatement = {
  name: "orchestration_orders_delete",
  text: `DELETE FROM orchestration_orders WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM orchestration_orders WHERE account = $1 AND orchestration = $2 LIMIT $3 FOR UPDATE))`,
};

/** Deletes what a deleted orchestration remembers of contacts, some rows at a time. @returns whether there may be more. */
export async function deleteEntries(
  transaction: Transaction,
  { account, orchestration }: OrchestrationName,
): Promise<boolean> {
  const values = [account, orchestration, ROWS_AT_ONCE];
  const entries = await transaction.execute(entriesStatement, values);
  const orders = await transaction.execute(ordersStatement, values);
  return entries === ROWS_AT_ONCE || orders === ROWS_AT_ONCE;
}
