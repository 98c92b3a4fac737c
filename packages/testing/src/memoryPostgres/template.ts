import { randomUUID } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pgcrypto } from "@electric-sql/pglite/contrib/pgcrypto";
import { createLogger } from "@headwater/kernel";
import { migratePostgres } from "@headwater/postgres/migrate/migrate";
import { rootFolder } from "../../../../infra/src/index.ts";
import { checksumOfMigrations } from "../migrationSources.ts";
import { listening } from "./listening.ts";
import { serveWire } from "./serveWire.ts";

const CACHE = join(rootFolder, "node_modules", ".cache", "headwater");

/** Returns a database in memory with all tables and no rows. The first call of a tree migrates one (seconds), later ones copy it. */
export async function copyTemplate(): Promise<PGlite> {
  const file = join(CACHE, `postgres-${checksumOfMigrations()}.tar`);
  if (!existsSync(file)) await writeTemplate(file);
  return PGlite.create({ extensions: { pgcrypto }, loadDataDir: new Blob([readFileSync(file)]) });
}

async function writeTemplate(file: string): Promise<void> {
  const database = await PGlite.create({ extensions: { pgcrypto } });
  const server = serveWire(database);
  const url = await listening(server);
  await migratePostgres({ url, logger: createLogger({ name: "template", level: "silent" }) });
  const bytes = await (await database.dumpDataDir("none")).arrayBuffer();
  server.close();
  await database.close();
  mkdirSync(CACHE, { recursive: true });
  // Two files of a suite may come here at once: a reader never sees half of it.
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, Buffer.from(bytes));
  renameSync(draft, file);
  // Those of former migrations are 40 MB each.
  const former = globSync("postgres-*.tar", { cwd: CACHE }).map((name) => join(CACHE, name));
  for (const path of former) if (path !== file) rmSync(path);
}
