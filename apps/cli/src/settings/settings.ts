import { join } from "node:path";
import { type Environment, HeadwaterError } from "@headwater/kernel";
import { z } from "zod";
import { usageError } from "../failure.ts";
import { formats } from "../output/formats.ts";
import { configFolderOf, readJsonFile, writeJsonFile } from "./configFolder.ts";

const profile = z.object({ baseUrl: z.url().optional(), intakeUrl: z.url().optional() });
const config = z.object({
  profile: z.string().optional(),
  output: z.enum(formats).optional(),
  profiles: z.record(z.string(), profile).default({}),
});
const credentials = z.record(z.string(), z.string());

export type Profile = z.output<typeof profile>;
export type Config = z.output<typeof config>;

const CONFIG = "config.json";
const CREDENTIALS = "credentials.json";
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const DEFAULT_PROFILE = "default";

/** Settings that a person keeps from one command to the next. */
export interface Settings {
  readonly config: Config;
  /** The profile of this call: `--profile`, else the one that was chosen, else `default`. */
  readonly profileName: string;
  readonly profile: Profile;
  /** Key of the profile; undefined when nobody signed in. */
  readonly apiKey: string | undefined;
  saveConfig(changed: Config): void;
  /** Keeps the key of the profile, or with undefined forgets it. */
  saveKey(apiKey: string | undefined): void;
}

/** @throws HeadwaterError `CONFIG_INVALID` for a file that cannot be used, `USAGE` for a profile's name that is none. */
export function readSettings(env: Environment, typedProfile: string | undefined): Settings {
  const folder = configFolderOf(env);
  const stored = readJsonFile(folder && join(folder, CONFIG), config);
  const keys = readJsonFile(folder && join(folder, CREDENTIALS), credentials);
  const profileName = checkedName(typedProfile ?? stored.profile ?? DEFAULT_PROFILE);
  return {
    config: stored,
    profileName,
    profile: own(stored.profiles, profileName) ?? {},
    apiKey: own(keys, profileName),
    saveConfig: (changed) => writeJsonFile(needed(folder), CONFIG, changed),
    saveKey(apiKey) {
      const others = Object.fromEntries(Object.entries(keys).filter(([name]) => name !== profileName));
      writeJsonFile(needed(folder), CREDENTIALS, { ...others, ...(apiKey !== undefined && { [profileName]: apiKey }) });
    },
  };
}

export function checkedName(name: string): string {
  if (NAME.test(name)) return name;
  throw usageError(`${name} is not a profile name: it has up to 64 letters, digits, dots, dashes and underscores.`);
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function needed(folder: string | undefined): string {
  if (folder !== undefined) return folder;
  throw new HeadwaterError({
    code: "CONFIG_INVALID",
    status: 500,
    publicMessage: "Neither HOME nor XDG_CONFIG_HOME is set, so settings cannot be stored.",
  });
}
