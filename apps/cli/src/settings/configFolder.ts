import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Environment, HeadwaterError } from "@headwater/kernel";
import type { z } from "zod";

const OWNER_ONLY = 0o600;
const OWNERS_FOLDER = 0o700;

/** Returns the folder of a person's settings: `XDG_CONFIG_HOME/headwater`, else `~/.config/headwater`; undefined without a home. */
export function configFolderOf({ XDG_CONFIG_HOME: config, HOME: home }: Environment): string | undefined {
  if (config) return join(config, "headwater");
  return home ? join(home, ".config", "headwater") : undefined;
}

/** A JSON file of that folder; what is not there, or holds nothing, is as an empty one. @throws HeadwaterError `CONFIG_INVALID`. */
export function readJsonFile<Schema extends z.ZodType>(file: string | undefined, schema: Schema): z.output<Schema> {
  if (file === undefined || !existsSync(file)) return schema.parse({});
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8").trim() || "{}"));
  } catch (cause) {
    throw new HeadwaterError({
      code: "CONFIG_INVALID",
      status: 500,
      publicMessage: `${file} cannot be read. Fix it, or delete it and sign in again.`,
      cause,
    });
  }
}

/** Writes a file whole, readable by its owner alone: it never stands there half written or with wider rights. */
export function writeJsonFile(folder: string, name: string, content: object): void {
  mkdirSync(folder, { recursive: true, mode: OWNERS_FOLDER });
  const file = join(folder, name);
  writeFileSync(`${file}.new`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: OWNER_ONLY });
  chmodSync(`${file}.new`, OWNER_ONLY);
  renameSync(`${file}.new`, file);
}
