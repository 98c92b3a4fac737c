import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rootFolder } from "../../../infra/src/index.ts";

/** Files that decide what a migrated database is: our migrations and how they are applied, the queues, and the packages that bring tables. */
const SOURCES = [
  "package-lock.json",
  "packages/{postgres,clickhouse}/src/migrations/*.sql",
  "packages/postgres/src/migrate/{installJobQueue,queueNames}.ts",
];

/** Returns the name of what the tree's migrations make: another tree has another. */
export function checksumOfMigrations(): string {
  const hash = createHash("sha256");
  for (const path of globSync(SOURCES, { cwd: rootFolder }).sort()) {
    hash.update(path).update(readFileSync(join(rootFolder, path)));
  }
  return hash.digest("hex").slice(0, 16);
}
