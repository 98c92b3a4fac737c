import { isDeepStrictEqual } from "node:util";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import type { Logger } from "@headwater/kernel";
import { checksumOf, type Migration, missingMigrations, readMigrations } from "@headwater/postgres/migrate/migrations";
import { clusterClause, conditionOf, onCluster, statementsOf, stepsOf } from "./cluster.ts";
import { toPublicError } from "./failures.ts";

export interface MigrateClickHouseOptions {
  /** The path is the database; it is made when missing. */
  readonly url: string;
  /** Name of the cluster: tables are made on all its servers, replicated. */
  readonly cluster?: string;
  readonly logger: Logger;
}

const DATABASE = /^\w+$/;
/** A statement takes seconds, with a busy disk minutes. */
const REQUEST_TIMEOUT_MS = 600_000;

/**
 * Makes the database and its tables. Each statement of a file may run twice (`IF NOT EXISTS`, or a condition above it), for ClickHouse
 * has no transactions: what was broken off is run again from the beginning of its file. Throws when an applied file has changed since.
 * @returns names of the migrations applied now.
 */
export async function migrateClickHouse({ url, cluster, logger }: MigrateClickHouseOptions): Promise<string[]> {
  const migrations = await readMigrations(new URL("./migrations/", import.meta.url));
  const database = databaseOf(url);
  const variant = (sql: string) => (cluster === undefined ? sql : onCluster(sql, cluster));
  try {
    await createDatabase(url, database, cluster);
    return await withClient(url, async (client) => {
      await client.command({ query: variant(bookkeeping) });
      const missing = missingMigrations(migrations, await appliedIn(client));
      for (const migration of missing) {
        await applyOne(client, migration, variant);
        logger.info({ migration: migration.name }, "applied a ClickHouse migration");
      }
      return missing.map((migration) => migration.name);
    });
  } catch (error) {
    throw toPublicError(error);
  }
}

const bookkeeping = `CREATE TABLE IF NOT EXISTS schema_migrations (
  name String,
  checksum String,
  applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree
ORDER BY name`;

type Client = ReturnType<typeof createClient>;

function databaseOf(url: string): string {
  const database = decodeURIComponent(new URL(url).pathname.slice(1)) || "headwater";
  if (!DATABASE.test(database))
    throw new Error(`${JSON.stringify(database)} is no name of a database: letters, digits and _ only`);
  return database;
}

async function createDatabase(url: string, database: string, cluster: string | undefined): Promise<void> {
  const server = new URL(url);
  server.pathname = "";
  const query = `CREATE DATABASE IF NOT EXISTS ${database}${clusterClause(cluster)}`;
  await withClient(server.href, (client) => client.command({ query }));
}

async function withClient<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = createClient({ url, request_timeout: REQUEST_TIMEOUT_MS, log: { level: ClickHouseLogLevel.OFF } });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function appliedIn(client: Client): Promise<{ name: string; checksum: string }[]> {
  const result = await client.query({
    query: "SELECT DISTINCT name, checksum FROM schema_migrations",
    format: "JSONEachRow",
  });
  return result.json<{ name: string; checksum: string }>();
}

/** A statement that cannot run twice says how to see that it has run: a process may end between it and its book-keeping. */
async function isWanted(client: Client, statement: string): Promise<boolean> {
  const query = conditionOf(statement);
  if (query === undefined) return true;
  const result = await client.query({ query, format: "JSONCompactEachRow" });
  const [row] = await result.json<readonly unknown[]>();
  return row?.[0] === 1;
}

/** Runs a statement once, or once for each step that is left: what ends it in between leaves the other steps for the next time. */
async function run(client: Client, statement: string, variant: (sql: string) => string): Promise<void> {
  const query = variant(statement);
  const steps = stepsOf(statement);
  if (steps === undefined) {
    await client.command({ query });
    return;
  }
  for (let done: unknown; ; ) {
    const result = await client.query({ query: steps.next, format: "JSONEachRow" });
    const [step] = await result.json<Record<string, unknown>>();
    if (step === undefined) return;
    if (isDeepStrictEqual(step, done)) throw new Error(`the step ${JSON.stringify(step)} of a migration is never done`);
    await client.command({ query, query_params: step });
    await client.command({ query: steps.done, query_params: step });
    done = step;
  }
}

async function applyOne(client: Client, migration: Migration, variant: (sql: string) => string): Promise<void> {
  for (const statement of statementsOf(migration.sql))
    if (await isWanted(client, statement)) await run(client, statement, variant);
  const row = { name: migration.name, checksum: checksumOf(migration.sql) };
  await client.insert({
    table: "schema_migrations",
    values: [row],
    format: "JSONEachRow",
    clickhouse_settings: { async_insert: 0 },
  });
}
