import { addDuration } from "@headwater/messaging/schedule/durations";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { dueAtOf, isLive, type Journey, parseRun, type Run } from "../orchestrations/run.ts";

/** Names a run. */
export interface RunKey {
  readonly account: number;
  readonly id: string;
}

/** A run as it is stored. */
export interface StoredRun extends RunKey {
  readonly orchestration: string;
  readonly run: Run;
  /** Number of the last step; 0 before the run is stored. */
  readonly sequence: number;
  /** Its JSON cannot be read: `run` has what the other columns say, and fails with the next input. */
  readonly isUnreadable?: true;
}

interface RunRow extends RunKey {
  readonly orchestration: string;
  readonly sequence: number;
  /** JSON text. */
  readonly run: string;
}

const COLUMNS = "r.account, r.id, r.orchestration, r.sequence, r.run";
const IN_ORDER = "ORDER BY r.account, r.id FOR NO KEY UPDATE OF r";
const byIdStatement = {
  name: "orchestration_runs_lock",
  text: `SELECT ${COLUMNS} FROM unnest($1::int[], $2::text[]) AS k (account, id)
    JOIN orchestration_runs r ON (r.account, r.id) = (k.account, k.id) ${IN_ORDER}`,
};
const ofContactsStatement = {
  name: "orchestration_runs_lock_of_contacts",
  text: `SELECT ${COLUMNS} FROM unnest($1::int[], $2::bigint[]) AS k (account, contact)
    JOIN orchestration_runs r ON (r.account, r.contact) = (k.account, k.contact)
    WHERE r.observed_until >= $3 ${IN_ORDER}`,
};
const dueStatement = {
  name: "orchestration_runs_claim_due",
  text: `SELECT ${COLUMNS} FROM orchestration_runs r WHERE r.due_at <= $1 ORDER BY r.due_at LIMIT $2
    FOR NO KEY UPDATE OF r SKIP LOCKED`,
};
const nextStatement = {
  name: "orchestration_runs_lock_next",
  text: `SELECT ${COLUMNS} FROM orchestration_runs r
    WHERE r.account = $1 AND r.orchestration = $2 AND r.id > $3 ORDER BY r.id LIMIT $4 FOR NO KEY UPDATE OF r`,
};
const knownStatement = {
  name: "orchestration_runs_known",
  text: `SELECT r.account, r.id FROM unnest($1::int[], $2::text[]) AS k (account, id)
    JOIN orchestration_runs r ON (r.account, r.id) = (k.account, k.id)`,
};
const insertStatement = {
  name: "orchestration_runs_insert",
  text: `INSERT INTO orchestration_runs
      (account, id, orchestration, version, contact, key, state, node, entered_at, due_at, observed_until, sequence, run,
        ended_at)
    SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::bigint[],
      $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::bigint[])
    ON CONFLICT DO NOTHING`,
};
const updateStatement = {
  name: "orchestration_runs_update",
  text: `UPDATE orchestration_runs r SET version = k.version, contact = k.contact, state = k.state, node = k.node, due_at = k.due_at,
      observed_until = k.observed_until, sequence = r.sequence + 1, run = k.run, ended_at = k.ended_at
    FROM unnest($1::int[], $2::text[], $4::int[], $5::bigint[], $7::text[], $8::text[], $10::bigint[], $11::bigint[], $12::bigint[],
      $13::text[], $3::text[], $6::text[], $9::bigint[], $14::bigint[])
      AS k (account, id, version, contact, state, node, due_at, observed_until, sequence, run, orchestration, key, entered_at, ended_at)
    WHERE (r.account, r.id) = (k.account, k.id) AND r.sequence = k.sequence - 1`,
};
const parkStatement = {
  name: "orchestration_runs_park",
  text: `UPDATE orchestration_runs r SET due_at = NULL FROM unnest($1::int[], $2::text[]) AS k (account, id)
    WHERE (r.account, r.id) = (k.account, k.id)`,
};
const deleteStatement = {
  name: "orchestration_runs_delete",
  text: `DELETE FROM orchestration_runs r USING unnest($1::int[], $2::text[]) AS k (account, id)
    WHERE (r.account, r.id) = (k.account, k.id)`,
};

/** Locks runs by their ids. */
export async function lockRuns(transaction: Transaction, keys: readonly RunKey[]): Promise<StoredRun[]> {
  return keys.length === 0 ? [] : toRuns(transaction, await transaction.query<RunRow>(byIdStatement, keyArrays(keys)));
}

/** Locks the runs of contacts that compare activities from an instant on: those on their way, and those whose goals may be reached. */
export async function lockRunsOfContacts(
  transaction: Transaction,
  contacts: readonly { readonly account: number; readonly contact: number }[],
  sinceMs: number,
): Promise<StoredRun[]> {
  if (contacts.length === 0) return [];
  const accounts = plainArray(contacts, ({ account }) => account);
  const numbers = plainArray(contacts, ({ contact }) => contact);
  return toRuns(transaction, await transaction.query<RunRow>(ofContactsStatement, [accounts, numbers, sinceMs]));
}

/** Claims runs that are due by an instant and that nobody else works on, those first that have waited longest. */
export async function claimDueRuns(
  transaction: Transaction,
  { untilMs, runsMax }: { readonly untilMs: number; readonly runsMax: number },
): Promise<StoredRun[]> {
  return toRuns(transaction, await transaction.query<RunRow>(dueStatement, [untilMs, runsMax]));
}

/** Locks the next runs of an orchestration behind one, in order of their ids. */
export async function lockNextRuns(
  transaction: Transaction,
  { account, orchestration, after, runsMax }: NextRuns,
): Promise<StoredRun[]> {
  return toRuns(transaction, await transaction.query<RunRow>(nextStatement, [account, orchestration, after, runsMax]));
}

export interface NextRuns {
  readonly account: number;
  readonly orchestration: string;
  /** Id of the last run that was locked; empty at first. */
  readonly after: string;
  readonly runsMax: number;
}

/** Lets runs be due no more whose version is not there: their account is gone. */
export async function parkRuns(transaction: Transaction, keys: readonly RunKey[]): Promise<void> {
  if (keys.length > 0) await transaction.execute(parkStatement, keyArrays(keys));
}

/** Returns those of the runs that exist. */
export function readKnownRuns(session: Session, keys: readonly RunKey[]): Promise<RunKey[]> {
  return keys.length === 0 ? Promise.resolve([]) : session.query<RunKey>(knownStatement, keyArrays(keys));
}

/** A run with the version that it follows, to be stored after a step. */
export interface SteppedRun extends StoredRun {
  readonly journey: Journey;
}

const oldestStatement = {
  name: "orchestration_runs_oldest_due",
  text: `SELECT due_at AS "dueAt" FROM orchestration_runs WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1`,
};

/** Returns when the run was due that waits longest, milliseconds since 1970; undefined while none waits for a time. */
export async function readOldestDue(session: Session): Promise<number | undefined> {
  const [row] = await session.query<{ dueAt: number | null }>(oldestStatement);
  return row?.dueAt ?? undefined;
}

/** Stores runs that were not stored before. @throws WriteConflict when one was by somebody else. */
export async function insertRuns(transaction: Transaction, runs: readonly SteppedRun[]): Promise<void> {
  if (runs.length === 0) return;
  const stored = await transaction.execute(insertStatement, runArrays(runs));
  if (stored < runs.length) throw new WriteConflict("another transaction has stored one of the runs");
}

/** Stores the next step of runs. @throws WriteConflict when somebody else stored a step of one since it was read. */
export async function updateRuns(transaction: Transaction, runs: readonly SteppedRun[]): Promise<void> {
  if (runs.length === 0) return;
  const stored = await transaction.execute(updateStatement, runArrays(runs));
  if (stored < runs.length) throw new WriteConflict("another transaction has stored a step of one of the runs");
}

/** Deletes runs that were refused. */
export async function deleteRuns(transaction: Transaction, keys: readonly RunKey[]): Promise<void> {
  if (keys.length > 0) await transaction.execute(deleteStatement, keyArrays(keys));
}

function keyArrays(keys: readonly RunKey[]): string[] {
  return [plainArray(keys, ({ account }) => account), textArray(keys, ({ id }) => id)];
}

function runArrays(runs: readonly SteppedRun[]): string[] {
  return [
    ...keyArrays(runs),
    textArray(runs, ({ orchestration }) => orchestration),
    plainArray(runs, ({ run }) => run.version),
    plainArray(runs, ({ run }) => run.contact),
    textArray(runs, ({ run }) => keyTextOf(run)),
    textArray(runs, ({ run }) => run.state),
    textArray(runs, ({ run }) => run.node),
    plainArray(runs, ({ run }) => run.start.at),
    plainArray(runs, ({ run, journey }) => (journey.isEnabled ? (dueAtOf(run) ?? null) : null)),
    plainArray(runs, observedUntil),
    plainArray(runs, ({ sequence }) => sequence + 1),
    textArray(runs, ({ run }) => JSON.stringify(run)),
    plainArray(runs, ({ run }) => (isLive(run) ? null : run.at)),
  ];
}

/** Returns the key of a run or a start as it is stored. */
export function keyTextOf({ key }: Pick<Run, "key">): string {
  return key === undefined ? "" : JSON.stringify(key);
}

/** Past any time that a process may have. */
const FOR_EVER_MS = 253_402_300_800_000;

/** Returns until when activities are compared with a run: to its end, and then while a goal may be reached. */
function observedUntil({ run, journey: { composition, timezone } }: SteppedRun): number {
  if (isLive(run)) return FOR_EVER_MS;
  const open = composition.goals.filter(({ name }) => !run.goals.includes(name));
  return Math.max(0, ...open.map(({ within }) => addDuration(run.start.at, within, timezone)));
}

async function toRuns(session: Session, rows: readonly RunRow[]): Promise<StoredRun[]> {
  const read = rows.map(({ run, ...row }) => ({ ...row, run: parseRun(run) }));
  const unreadable = read.filter(({ run }) => run === undefined);
  const found = unreadable.length === 0 ? new Map<string, Run>() : await readColumns(session, unreadable);
  return read.flatMap(({ run, ...row }): StoredRun[] => {
    if (run !== undefined) return [{ ...row, run }];
    const known = found.get(`${row.account} ${row.id}`);
    return known === undefined ? [] : [{ ...row, run: known, isUnreadable: true }];
  });
}

interface RunColumns extends RunKey {
  readonly version: number;
  readonly contact: number;
  /** JSON text; empty without a key. */
  readonly key: string;
  readonly state: Run["state"];
  readonly node: string;
  readonly enteredAt: number;
  readonly visit: number;
}

const columnsStatement = {
  name: "orchestration_runs_columns",
  text: `SELECT r.account, r.id, r.version, r.contact, r.key, r.state, r.node, r.entered_at AS "enteredAt",
      (SELECT COALESCE(max(s.visit), 0) + 1 FROM orchestration_steps s WHERE (s.account, s.run) = (r.account, r.id)) AS visit
    FROM unnest($1::int[], $2::text[]) AS k (account, id) JOIN orchestration_runs r ON (r.account, r.id) = (k.account, k.id)`,
};

/** Returns what is known of runs without their JSON, by account and id: enough to end them, and to begin their node again. */
export async function readColumns(session: Session, keys: readonly RunKey[]): Promise<ReadonlyMap<string, Run>> {
  const rows = await session.query<RunColumns>(columnsStatement, keyArrays(keys));
  return new Map(
    rows.map(({ account, id, enteredAt: at, key: text, ...columns }) => {
      const key = keyOf(text);
      const event = { id: "", action: "", properties: {} };
      const { contact, ...rest } = columns;
      const start = { run: id, contact, at, stream: "", position: 0, event, extVars: {} };
      const own = { ...rest, ...(key !== undefined && { key }) };
      const run: Run = {
        ...{ id, contact, start, at, since: at, positions: {}, steps: 0, questions: 0, seen: [], goals: [] },
        ...own,
      };
      return [`${account} ${id}`, run];
    }),
  );
}

function keyOf(text: string): Run["key"] {
  if (text === "") return undefined;
  const value: unknown = JSON.parse(text);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}
