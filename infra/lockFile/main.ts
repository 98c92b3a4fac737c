import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { entriesOfMissingPackages, lockFileSchema } from "./lockFile.ts";

/** Adds the optional packages of other systems to package-lock.json: a part of `npm run generate`, after every change of a dependency. */
const file = fileURLToPath(new URL("../../package-lock.json", import.meta.url));
const lock: { readonly packages: Record<string, unknown> } = JSON.parse(readFileSync(file, "utf8"));
const added = entriesOfMissingPackages(lockFileSchema.parse(lock));
if (Object.keys(added).length > 0) {
  // Entries keep their members and npm's order, so that the difference is what was added.
  const packages = Object.entries({ ...lock.packages, ...added }).sort(([a], [b]) => a.localeCompare(b, "en"));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, undefined, 2)}\n`);
}
process.stdout.write(`package-lock.json: ${Object.keys(added).length} optional packages added\n`);
