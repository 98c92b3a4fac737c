import pg from "pg";

/** Sizes of one measurement. */
export interface Sizes {
  /** Runs that wait for a time far away. */
  readonly waiting: number;
  /** Runs that are due at once. */
  readonly due: number;
}

/** Runs that one transaction moves. */
export const RUNS_AT_ONCE = 500;
const FAR_MS = 100_000_000_000_000;
const RUN_CHARACTERS = 600;

/** Creates the rows of runs, and a table that has each effect once. Every candidate moves the same rows. */
export async function createRuns(client: pg.Client, { waiting, due }: Sizes): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS waiting CASCADE; CREATE SCHEMA waiting;
    CREATE TABLE waiting.runs (id bigint PRIMARY KEY, due_at bigint, sequence bigint NOT NULL, run text NOT NULL) WITH (fillfactor = 80);
    CREATE TABLE waiting.effects (run bigint NOT NULL, sequence bigint NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());`);
  await client.query(
    `INSERT INTO waiting.runs SELECT n, CASE WHEN n <= $2 THEN 0 ELSE ${FAR_MS} END, 1, repeat('x', ${RUN_CHARACTERS})
      FROM generate_series(1, $1::int) n`,
    [waiting + due, due],
  );
  await client.query("CREATE INDEX runs_due ON waiting.runs (due_at) WHERE due_at IS NOT NULL");
  await client.query("VACUUM ANALYZE waiting.runs");
}

/** Says how many effects there are, and how many runs have more than one or none. */
export async function countEffects(client: pg.Client, due: number) {
  const { rows } = await client.query<{ effects: string; twice: string; seconds: string }>(
    `SELECT count(*) AS effects, count(*) - count(DISTINCT run) AS twice,
      COALESCE(extract(epoch FROM max(at) - min(at)), 0) AS seconds FROM waiting.effects`,
  );
  const [row] = rows;
  const effects = Number(row?.effects ?? 0);
  return { effects, twice: Number(row?.twice ?? 0), missing: due - effects, seconds: Number(row?.seconds ?? 0) };
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Moves runs by one step: the row with its sequence, and an effect. */
export const MOVE = `WITH moved AS (UPDATE waiting.runs r SET due_at = NULL, sequence = r.sequence + 1, run = r.run || 'y'
    FROM unnest($1::bigint[]) AS k (id) WHERE r.id = k.id RETURNING r.id, r.sequence)
  INSERT INTO waiting.effects (run, sequence) SELECT id, sequence FROM moved`;
