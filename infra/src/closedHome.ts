import { existsSync, mkdirSync } from "node:fs";
import { chmod, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export const OWNERS_FOLDER = 0o700;
export const OWNERS_FILE = 0o600;
/** Everything that Headwater writes into its home; nothing else there is touched. */
export const homeEntries = [
  "data",
  "logs",
  "run",
  "secrets",
  "files",
  "connection.json",
  "connection.json.new",
] as const;
const PERMISSIONS = 0o777;

/**
 * Makes the home and lets its owner alone into it and into everything of ours there, also where an earlier version or another
 * umask left more. A home that holds other things than ours keeps its own mode: it may be a folder that others need.
 */
export async function closeHome(home: string): Promise<void> {
  if (!existsSync(home)) mkdirSync(home, { recursive: true, mode: OWNERS_FOLDER });
  const names: readonly string[] = homeEntries;
  const entries = await readdir(home);
  for (const name of entries.filter((entry) => names.includes(entry) && entry !== "data"))
    await closeTree(join(home, name));
  if (entries.includes("data")) await closeData(join(home, "data"));
  if (entries.every((entry) => names.includes(entry))) await setMode(home, OWNERS_FOLDER);
}

/** Gives every folder and file below (and the one named) to its owner alone; folders after what they hold. Links stay as they are. */
export async function closeTree(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isDirectory()) {
    for (const name of await readdir(path)) await closeTree(join(path, name));
    await setMode(path, OWNERS_FOLDER);
  } else if (found.isFile()) await setMode(path, OWNERS_FILE);
}

/**
 * The stores write under a umask that closes what they make, and hold up to millions of files: a store's folder that is closed
 * already was closed after all of its files, and is not walked again.
 */
async function closeData(data: string): Promise<void> {
  for (const store of await readdir(data)) {
    const folders = await readdir(join(data, store), { withFileTypes: true });
    for (const entry of folders) {
      const path = join(data, store, entry.name);
      const isClosed = entry.isDirectory() && ((await lstat(path)).mode & PERMISSIONS) === OWNERS_FOLDER;
      if (!isClosed) await closeTree(path);
    }
    await setMode(join(data, store), OWNERS_FOLDER);
  }
  await setMode(data, OWNERS_FOLDER);
}

async function setMode(path: string, mode: number): Promise<void> {
  if (((await lstat(path)).mode & PERMISSIONS) !== mode) await chmod(path, mode);
}
