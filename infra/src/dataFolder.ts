import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../bootstrap/failure.mjs";
import { closeTree, OWNERS_FILE, OWNERS_FOLDER } from "./closedHome.ts";
import type { ServiceDefinition } from "./definition.ts";

const MARKER = "data-version";

/**
 * The data folder of a service under `home`, made when it is not there. It appears whole or not at all: it is filled under
 * another name and renamed. A Failure when it holds the data of another version.
 */
export async function openDataFolder(home: string, definition: ServiceDefinition): Promise<string> {
  const parent = join(home, "data", definition.name);
  const folder = join(parent, "current");
  const version = await definition.dataVersion();
  if (existsSync(folder)) await refuseOtherVersion(parent, version);
  else await fillDataFolder(parent, definition, version);
  return folder;
}

async function refuseOtherVersion(parent: string, version: string): Promise<void> {
  const found = (await readFile(join(parent, MARKER), "utf8").catch(() => "an unknown version")).trim();
  if (found === version) return;
  throw new Failure(
    `the data in ${parent} were written by ${found} and this Headwater runs ${version}: ` +
      "start with another HEADWATER_HOME, or empty this one with npm start -- --reset.",
  );
}

async function fillDataFolder(parent: string, definition: ServiceDefinition, version: string): Promise<void> {
  const unfinished = join(parent, "unfinished");
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: OWNERS_FOLDER });
  await definition.prepare(unfinished);
  await closeTree(unfinished);
  await writeFile(join(parent, MARKER), `${version}\n`, { mode: OWNERS_FILE });
  await rename(unfinished, join(parent, "current"));
}
