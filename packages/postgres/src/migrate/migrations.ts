import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

export interface Migration {
  /** `NNN_name`, applied in order of text. */
  readonly name: string;
  readonly sql: string;
}

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

const NAME = /^(\d{3}_\w+)\.sql$/;

/** The `NNN_name.sql` files of a folder in order. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).map((file) => NAME.exec(file)?.[1]).filter((name) => name !== undefined);
  const read = async (name: string) => ({ name, sql: await readFile(new URL(`${name}.sql`, folder), "utf8") });
  return Promise.all(names.sort().map(read));
}

export function checksumOf(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}

/** @throws when the database holds a migration that is not ours, or one with another text. */
export function missingMigrations(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const texts = new Map(migrations.map((migration) => [migration.name, migration.sql]));
  for (const row of applied) {
    const sql = texts.get(row.name);
    if (sql === undefined)
      throw new Error(`the database has the migration ${row.name}, which this version does not know`);
    if (checksumOf(sql) !== row.checksum)
      throw new Error(`the migration ${row.name} was changed after it had been applied`);
  }
  const names = new Set(applied.map((row) => row.name));
  return migrations.filter((migration) => !names.has(migration.name));
}
