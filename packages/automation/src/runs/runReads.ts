import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { createConditions } from "@headwater/postgres/connection/conditions";
import { keysetOrder } from "@headwater/postgres/connection/keyset";
import type { Session } from "@headwater/postgres/connection/session";
import type { OrchestrationName } from "../orchestrations/postgres.ts";
import { parseRun, type Run } from "../orchestrations/run.ts";
import { type RunKey, readColumns } from "./postgres.ts";

/** States of contacts that have entered. */
export const RUN_STATES = ["waiting", "completed", "exited", "failed", "holdout"] as const;

export interface RunFilters extends OrchestrationName {
  /** Node that runs are at, or ended at. */
  readonly node?: string;
  readonly state?: (typeof RUN_STATES)[number];
  readonly cid?: string;
}

export interface RunsPage extends RunFilters {
  readonly direction: "asc" | "desc";
  /** Id of the last run of the page before. */
  readonly after?: string | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

/** A run with the id of its contact. */
export interface ListedRun {
  readonly cid: string;
  readonly run: Run;
}

const FROM = "orchestration_runs r JOIN contacts c ON (c.account, c.number) = (r.account, r.contact)";

/** Reads a page of the runs whose contact has entered, in order of their ids. */
export async function pageRuns(session: Session, page: RunsPage): Promise<ListedRun[]> {
  const where = filtersOf(page);
  const order = keysetOrder(where, {
    columns: ["r.id"],
    direction: page.direction,
    last: page.after === undefined ? undefined : [page.after],
  });
  const limits = `LIMIT ${where.bind(page.rowsMax)} OFFSET ${where.bind(page.skip)}`;
  const text = `SELECT c.cid, r.account, r.id, r.run FROM ${FROM} WHERE ${where.text()} ORDER BY ${order} ${limits}`;
  const rows = await session.query<RunKey & { cid: string; run: string }>({ text }, where.values);
  const read = rows.map(({ run, ...row }) => ({ ...row, run: parseRun(run) }));
  const unreadable = read.filter(({ run }) => run === undefined);
  const columns = unreadable.length === 0 ? undefined : await readColumns(session, unreadable);
  return read.flatMap(({ cid, account, id, run = columns?.get(`${account} ${id}`) }) =>
    run === undefined ? [] : [{ cid, run }],
  );
}

export async function countListedRuns(session: Session, filters: RunFilters): Promise<number> {
  const where = filtersOf(filters);
  const text = `SELECT count(*) AS count FROM ${FROM} WHERE ${where.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

function filtersOf({ account, orchestration, node, state, cid }: RunFilters) {
  const where = createConditions();
  where.add(`r.account = ${where.bind(account)}`);
  where.add(`r.orchestration = ${where.bind(orchestration)}`);
  if (state === undefined) where.add("r.state <> 'entering'");
  else where.add(`r.state = ${where.bind(state)}`);
  if (node !== undefined) where.add(`r.node = ${where.bind(node)}`);
  if (cid !== undefined) where.add(`c.cid = ${where.bind(cid)}`);
  return where;
}

/** Steps of one run that answers show, the last ones: a circle may have any number of them. */
export const STEPS_SHOWN_MAX = 200;

/** A node that a run has left, or ended at. */
export interface RunStep {
  readonly run: string;
  readonly node: string;
  /** Milliseconds since 1970 at which it came to the node. */
  readonly at: number;
  readonly edge: string | null;
}

const stepsStatement = {
  name: "orchestration_steps_of_runs",
  text: `SELECT s.run, s.node, s.at, s.edge FROM unnest($2::text[]) AS k (run)
    CROSS JOIN LATERAL (SELECT run, visit, node, at, edge FROM orchestration_steps WHERE account = $1 AND run = k.run
      ORDER BY visit DESC LIMIT ${STEPS_SHOWN_MAX}) s
    ORDER BY s.run, s.visit`,
};

/** Returns the steps of runs, in order. */
export function readSteps(session: Session, account: number, runs: readonly string[]): Promise<RunStep[]> {
  return runs.length === 0
    ? Promise.resolve([])
    : session.query(stepsStatement, [account, textArray(runs, (id) => id)]);
}

const ofContactStatement = {
  name: "orchestration_runs_of_contact",
  text: `SELECT id, state, key FROM orchestration_runs WHERE account = $1 AND orchestration = $2 AND contact = ANY ($3::bigint[])
    ORDER BY entered_at DESC, id`,
};

export interface RunOfContact {
  readonly id: string;
  readonly state: Run["state"];
  /** JSON text; empty without a key. */
  readonly key: string;
}

/** Returns the runs of a contact, by its number and those of the contacts merged into it, the latest first. */
export function readRunsOfContact(
  session: Session,
  { account, orchestration }: OrchestrationName,
  contacts: readonly number[],
): Promise<RunOfContact[]> {
  return session.query<RunOfContact>(ofContactStatement, [account, orchestration, plainArray(contacts, (one) => one)]);
}

const anyLiveStatement = {
  name: "orchestration_runs_any_live",
  text: `SELECT EXISTS (SELECT FROM orchestration_runs
    WHERE account = $1 AND orchestration = $2 AND state IN ('entering', 'waiting')) AS live`,
};

/** Returns whether any contact is on its way through an orchestration. */
export async function hasLiveRuns(session: Session, name: OrchestrationName): Promise<boolean> {
  const [row] = await session.query<{ live: boolean }>(anyLiveStatement, nameOf(name));
  return row?.live === true;
}

const liveStatement = {
  name: "orchestration_runs_live_by_version",
  text: `SELECT version, count(*) AS live FROM orchestration_runs
    WHERE account = $1 AND orchestration = $2 AND state = 'waiting' GROUP BY version`,
};

/** Counts the runs on their way by the version that they follow. */
export async function countLive(session: Session, name: OrchestrationName): Promise<ReadonlyMap<number, number>> {
  const rows = await session.query<{ version: number; live: number }>(liveStatement, nameOf(name));
  return new Map(rows.map(({ version, live }) => [version, live]));
}

const statesStatement = {
  name: "orchestration_runs_states_of_one",
  text: `SELECT state, CASE WHEN state = 'waiting' THEN node ELSE '' END AS node, count(*) AS count FROM orchestration_runs
    WHERE account = $1 AND orchestration = $2 AND state <> 'entering' GROUP BY 1, 2 ORDER BY 1, 2`,
};
const edgesStatement = {
  name: "orchestration_steps_edges",
  text: `SELECT node, edge, next, count(*) AS count FROM orchestration_steps WHERE account = $1 AND orchestration = $2
    GROUP BY node, edge, next ORDER BY node, edge, next`,
};
const goalsStatement = {
  name: "orchestration_goals_count",
  text: `SELECT name, count(*) FILTER (WHERE NOT is_holdout) AS runs, count(*) FILTER (WHERE is_holdout) AS holdout
    FROM orchestration_goals WHERE account = $1 AND orchestration = $2 GROUP BY name ORDER BY name`,
};
const refusalsStatement = {
  name: "orchestration_refusals_read",
  text: "SELECT reason, count FROM orchestration_refusals WHERE account = $1 AND orchestration = $2 ORDER BY reason",
};
const skippedStatement = {
  name: "orchestration_sends_skipped",
  text: `SELECT reason, count(*) AS count FROM orchestration_sends
    WHERE account = $1 AND orchestration = $2 AND reason IS NOT NULL GROUP BY reason ORDER BY reason`,
};

export interface RunCounts {
  /** Runs by state; those that are waiting by node as well. */
  readonly states: readonly { readonly state: Run["state"]; readonly node: string; readonly count: number }[];
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

/** Counts the runs of an orchestration; takes one pass over them and their steps. */
export async function countRunsOf(session: Session, name: OrchestrationName): Promise<RunCounts> {
  const values = nameOf(name);
  const [states, edges, goals, refusals, skipped] = await Promise.all([
    session.query<RunCounts["states"][number]>(statesStatement, values),
    session.query<RunCounts["edges"][number]>(edgesStatement, values),
    session.query<RunCounts["goals"][number]>(goalsStatement, values),
    session.query<ReasonCount>(refusalsStatement, values),
    session.query<ReasonCount>(skippedStatement, values),
  ]);
  return { states, edges, goals, refusals, skipped };
}

function nameOf({ account, orchestration }: OrchestrationName): [number, string] {
  return [account, orchestration];
}
