import { randomBytes } from "node:crypto";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { migrateClickHouse } from "@headwater/clickhouse/migrate";
import { createLogger } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { migratePostgres } from "@headwater/postgres/migrate/migrate";
import { checksumOfMigrations } from "@headwater/testing";

/** A database that each server migrates once and tests copy. */
const TEMPLATE = `stores_template_${checksumOfMigrations()}`;
const logger = createLogger({ name: "stores-test", level: "silent" });

/** Returns the address of a database of the same server that nobody else uses. */
export function urlOfFresh(url: string): URL {
  const fresh = new URL(url);
  fresh.pathname = `/stores_${randomBytes(6).toString("hex")}`;
  return fresh;
}

export function databaseOf(url: URL): string {
  return url.pathname.slice(1);
}

/** Makes the database with all its tables. */
export async function copyPostgres(admin: Postgres, url: URL): Promise<void> {
  const existing = await admin.query({ text: "SELECT FROM pg_database WHERE datname = $1" }, [TEMPLATE]);
  if (existing.length === 0) await createPostgresTemplate(admin, urlOfFresh(url.href));
  await admin.execute({ text: `CREATE DATABASE ${databaseOf(url)} TEMPLATE ${TEMPLATE}` });
}

/** A draft becomes the template when it is whole; of two that are made at once, the first. */
async function createPostgresTemplate(admin: Postgres, url: URL): Promise<void> {
  const draft = databaseOf(url);
  await admin.execute({ text: `CREATE DATABASE ${draft}` });
  await migratePostgres({ url: url.href, logger });
  await admin
    .execute({ text: `ALTER DATABASE ${draft} RENAME TO ${TEMPLATE}` })
    .catch(() => admin.execute({ text: `DROP DATABASE ${draft} WITH (FORCE)` }));
}

/** Makes the database with all its tables, as `admin` of another one. */
export async function copyClickHouse(admin: ClickHouse, url: URL): Promise<void> {
  const tablesOf = "SELECT name FROM system.tables WHERE database = {database:String}";
  const find = () => admin.query<{ name: string }>(tablesOf, { database: TEMPLATE });
  if ((await find()).length === 0) await createClickHouseTemplate(admin, urlOfFresh(url.href));
  const database = databaseOf(url);
  await admin.command(`CREATE DATABASE ${database}`);
  const tables = await find();
  await Promise.all(tables.map(({ name }) => admin.command(`CREATE TABLE ${database}.${name} AS ${TEMPLATE}.${name}`)));
  await admin.command(`INSERT INTO ${database}.schema_migrations SELECT * FROM ${TEMPLATE}.schema_migrations`);
}

async function createClickHouseTemplate(admin: ClickHouse, url: URL): Promise<void> {
  const draft = databaseOf(url);
  await migrateClickHouse({ url: url.href, logger });
  await admin.command(`RENAME DATABASE ${draft} TO ${TEMPLATE}`).catch(() => admin.command(`DROP DATABASE ${draft}`));
}
