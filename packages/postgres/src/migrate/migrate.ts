import type { Logger } from "@headwater/kernel";
import pg from "pg";
import { toPublicError } from "../connection/failures.ts";
import { installJobQueue } from "./installJobQueue.ts";
import { type AppliedMigration, checksumOf, type Migration, missingMigrations, readMigrations } from "./migrations.ts";

export interface MigratePostgresOptions {
  readonly url: string;
  readonly logger: Logger;
}

/** Any number, the same for all processes of all versions. */
const LOCK_KEY = 7_238_401;

/**
 * Brings the schema up to date: each file once, in order, in a transaction of its own; processes that start together wait for one
 * another. The queue library's tables come with them. Throws when a file that was applied has changed since, or when the database is of a later version of Headwater.
 * @returns names of the migrations applied now.
 */
export async function migratePostgres({ url, logger }: MigratePostgresOptions): Promise<string[]> {
  const migrations = await readMigrations(new URL("../migrations/", import.meta.url));
  const client = new pg.Client({ connectionString: url, application_name: "headwater-migrate" });
  // The next statement fails; without a listener the process would.
  client.on("error", (error) => logger.debug({ err: error }, "the connection of the migrations was lost"));
  try {
    await client.connect();
    await client.query("SELECT pg_advisory_lock($1)", [LOCK_KEY]);
    const applied = await applyMissing(client, migrations, logger);
    await installJobQueue({ url, logger });
    return applied;
  } catch (error) {
    throw toPublicError(error);
  } finally {
    await client.end();
  }
}

async function applyMissing(client: pg.Client, migrations: readonly Migration[], logger: Logger): Promise<string[]> {
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
  );
  const { rows } = await client.query<AppliedMigration>("SELECT name, checksum FROM schema_migrations");
  const missing = missingMigrations(migrations, rows);
  for (const migration of missing) {
    await applyOne(client, migration);
    logger.info({ migration: migration.name }, "applied a Postgres migration");
  }
  return missing.map((migration) => migration.name);
}

async function applyOne(client: pg.Client, { name, sql }: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(sql);
    await client.query("INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)", [name, checksumOf(sql)]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw new Error(`the migration ${name} failed and was rolled back`, { cause: error });
  }
}
