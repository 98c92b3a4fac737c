import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { OWNERS_FILE } from "./closedHome.ts";

/**
 * Writes a service's settings whole or not at all, and only where they differ: a service that ended because the disk is full
 * starts again with the settings that it had.
 */
export async function writeSettings(file: string, text: string): Promise<void> {
  if (existsSync(file) && (await readFile(file, "utf8")) === text) return;
  const unfinished = `${file}.new`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, text, { mode: OWNERS_FILE });
  await rename(unfinished, file);
}
