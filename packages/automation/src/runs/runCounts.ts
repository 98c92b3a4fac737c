import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { OrchestrationName } from "../orchestrations/postgres.ts";
import type { Run } from "../orchestrations/run.ts";

/** Triggers of Postgres note what a transaction changes of the numbers, whoever writes it; both are read together. */
const ALL = `(SELECT account, orchestration, kind, name, version, node, edge, next, count FROM orchestration_counts
    UNION ALL SELECT account, orchestration, kind, name, version, node, edge, next, count FROM orchestration_count_changes) AS c`;
const countsStatement = {
  name: "orchestration_counts_read",
  text: `SELECT kind, name, node, edge, next, sum(count)::bigint AS count FROM ${ALL} WHERE account = $1 AND orchestration = $2
    GROUP BY kind, name, node, edge, next HAVING sum(count) <> 0 ORDER BY kind, name, node, edge, next`,
};
const liveStatement = {
  name: "orchestration_counts_live",
  text: `SELECT version, sum(count)::bigint AS live FROM ${ALL}
    WHERE account = $1 AND orchestration = $2 AND kind = 'state' AND name = 'waiting' GROUP BY version`,
};
const anyLiveStatement = {
  name: "orchestration_counts_any_live",
  text: `SELECT COALESCE(sum(count), 0) > 0 AS live FROM ${ALL}
    WHERE account = $1 AND orchestration = $2 AND kind = 'state' AND name IN ('entering', 'waiting')`,
};
const statesStatement = {
  name: "orchestration_counts_states",
  text: `SELECT name AS state, sum(count)::bigint AS runs FROM ${ALL} WHERE kind = 'state' GROUP BY name`,
};
const addUpStatement = {
  name: "orchestration_counts_add_up",
  text: `WITH taken AS (DELETE FROM orchestration_count_changes WHERE id = ANY (ARRAY(
        SELECT id FROM orchestration_count_changes ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING account, orchestration, kind, name, version, node, edge, next, count),
    added AS (INSERT INTO orchestration_counts AS c (account, orchestration, kind, name, version, node, edge, next, count)
      SELECT account, orchestration, kind, name, version, node, edge, next, sum(count) FROM taken
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
      ON CONFLICT (account, orchestration, kind, name, version, node, edge, next) DO UPDATE SET count = c.count + EXCLUDED.count)
    SELECT count(*) AS changes FROM taken`,
};
const deleteStatement = {
  name: "orchestration_counts_delete",
  text: "DELETE FROM orchestration_counts WHERE account = $1 AND orchestration = $2",
};
const deleteChangesStatement = {
  name: "orchestration_count_changes_delete",
  text: "DELETE FROM orchestration_count_changes WHERE account = $1 AND orchestration = $2",
};

interface CountRow {
  readonly kind: "state" | "edge" | "goal" | "holdout-goal" | "refusal" | "skipped";
  readonly name: string;
  readonly node: string;
  readonly edge: string;
  readonly next: string;
  readonly count: number;
}

export interface RunCounts {
  /** Runs by state; those that are waiting by node as well. */
  readonly states: readonly { readonly state: string; readonly node: string; readonly count: number }[];
  /** Steps by node and result; `next` is null where the run ended. */
  readonly edges: readonly {
    readonly node: string;
    readonly edge: string | null;
    readonly next: string | null;
    readonly count: number;
  }[];
  readonly goals: readonly { readonly name: string; readonly runs: number; readonly holdout: number }[];
  readonly refusals: readonly ReasonCount[];
  readonly skipped: readonly ReasonCount[];
}

interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

/** Returns the numbers of an orchestration's runs, those that are deleted since among them. Takes as long for many runs as for few. */
export async function countRunsOf(session: Session, name: OrchestrationName): Promise<RunCounts> {
  const rows = await session.query<CountRow>(countsStatement, nameOf(name));
  const ofKind = (wanted: CountRow["kind"]) => rows.filter(({ kind }) => kind === wanted);
  const byReason = (kind: "refusal" | "skipped") => ofKind(kind).map(({ name: reason, count }) => ({ reason, count }));
  const held = new Map(ofKind("holdout-goal").map((goal) => [goal.name, goal.count]));
  const reached = new Map(ofKind("goal").map((goal) => [goal.name, goal.count]));
  const goals = [...new Set([...reached.keys(), ...held.keys()])].toSorted();
  return {
    states: ofKind("state").flatMap(({ name: state, node, count }) =>
      state === "entering" ? [] : [{ state, node, count }],
    ),
    edges: ofKind("edge").map(({ node, edge, next, count }) => ({
      node,
      edge: edge || null,
      next: next || null,
      count,
    })),
    goals: goals.map((goal) => ({ name: goal, runs: reached.get(goal) ?? 0, holdout: held.get(goal) ?? 0 })),
    refusals: byReason("refusal"),
    skipped: byReason("skipped"),
  };
}

/** Counts the runs on their way by the version that they follow. */
export async function countLive(session: Session, name: OrchestrationName): Promise<ReadonlyMap<number, number>> {
  const rows = await session.query<{ version: number; live: number }>(liveStatement, nameOf(name));
  return new Map(rows.map(({ version, live }) => [version, live]));
}

/** Returns whether any contact is on its way through an orchestration. */
export async function hasLiveRuns(session: Session, name: OrchestrationName): Promise<boolean> {
  const [row] = await session.query<{ live: boolean }>(anyLiveStatement, nameOf(name));
  return row?.live === true;
}

/** Counts the runs of all accounts by state; those that have ended also when they are deleted since. */
export function countRuns(session: Session): Promise<{ state: Run["state"]; runs: number }[]> {
  return session.query(statesStatement);
}

/** Changes that one transaction adds up. */
const CHANGES_AT_ONCE = 10_000;

/** Adds up the oldest changes of the numbers, which stay what they are. @returns whether there may be more. */
export async function addUpCounts(session: Session): Promise<boolean> {
  const [row] = await session.query<{ changes: number }>(addUpStatement, [CHANGES_AT_ONCE]);
  return (row?.changes ?? 0) === CHANGES_AT_ONCE;
}

/** Deletes the numbers of an orchestration that is gone. */
export async function deleteCounts(transaction: Transaction, name: OrchestrationName): Promise<void> {
  await transaction.execute(deleteChangesStatement, nameOf(name));
  await transaction.execute(deleteStatement, nameOf(name));
}

function nameOf({ account, orchestration }: OrchestrationName): [number, string] {
  return [account, orchestration];
}
