import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rootFolder } from "@headwater/infra";

/** Files that decide what a migrated database is: our migrations and how they are applied, the queues, and the packages that bring tables. */
const SOURCES = [
  "package-lock.json",
  "packages/stores/src/{postgres,clickhouse}/migrations/*.sql",
  "packages/stores/src/jobs/{installJobQueue,queueNames}.ts",
];

/** Returns the name of what the tree's migrations make: another tree has another. */
export function checksumOfMigrations(): string {
  const hash = createHash("sha256");
  for (const path of globSync(SOURCES, { cwd: rootFolder }).sort()) {
    hash.update(path).update(readFileSync(join(rootFolder, path)));
  }
  return hash.digest("hex").slice(0, 16);
}
