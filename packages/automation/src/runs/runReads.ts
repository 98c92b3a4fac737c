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
