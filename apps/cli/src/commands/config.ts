import type { Command } from "commander";
import { z } from "zod";
import type { Call, CallOf } from "../call.ts";
import { usageError } from "../failure.ts";
import { formats } from "../output/formats.ts";
import { showOne } from "../output/show.ts";
import { checkedName } from "../settings/settings.ts";
import { addGroup, addLeaf, type LeafCommand } from "./command.ts";

/** Settings, each with its present value and the settings with another value. */
const SETTINGS = {
  profile: {
    read: ({ settings }: Call) => settings.config.profile,
    write: ({ settings }: Call, value: string) => ({ ...settings.config, profile: checkedName(value) }),
  },
  output: {
    read: ({ settings }: Call) => settings.config.output,
    write: ({ settings }: Call, value: string) => ({ ...settings.config, output: formatNamed(value) }),
  },
  "base-url": {
    read: ({ settings }: Call) => settings.profile.baseUrl,
    write: (call: Call, value: string) => withProfile(call, { baseUrl: checkedUrl(value) }),
  },
  "intake-url": {
    read: ({ settings }: Call) => settings.profile.intakeUrl,
    write: (call: Call, value: string) => withProfile(call, { intakeUrl: checkedUrl(value) }),
  },
} as const;
type SettingName = keyof typeof SETTINGS;

const configSet: LeafCommand = {
  usage: "set <name> <value>",
  summary:
    "Keep a setting: profile (the usual one), output (table, json, ndjson, csv); of the profile base-url, intake-url.",
  examples: [
    "headwater config set output json",
    "headwater config set profile shop",
    "headwater config set base-url https://api.example.com --profile shop",
  ],
  async run(call, [typed = "", value = ""]) {
    const name = settingNamed(typed);
    call.settings.saveConfig(SETTINGS[name].write(call, value));
    call.terminal.say(`${name} is ${value} now.`);
  },
};

const configGet: LeafCommand = {
  usage: "get [name]",
  summary: "Show a setting, or all of them. Keys are never shown.",
  examples: ["headwater config get", "headwater config get output"],
  async run(call, [typed]) {
    if (typed !== undefined) return call.terminal.out(`${SETTINGS[settingNamed(typed)].read(call) ?? ""}\n`);
    const { profileName, apiKey, config } = call.settings;
    showOne(call, {
      profile: profileName,
      signedIn: apiKey !== undefined,
      output: config.output ?? "table",
      "base-url": SETTINGS["base-url"].read(call) ?? "",
      "intake-url": SETTINGS["intake-url"].read(call) ?? "",
      profiles: Object.keys(config.profiles).sort(),
    });
  },
};

export function addConfig(program: Command, callOf: CallOf): void {
  const config = addGroup(program, "config", "What is kept from one command to the next.");
  for (const leaf of [configSet, configGet]) addLeaf(config, leaf, callOf);
}

function withProfile({ settings }: Call, changed: { baseUrl?: string; intakeUrl?: string }) {
  const { config, profileName, profile } = settings;
  return { ...config, profiles: { ...config.profiles, [profileName]: { ...profile, ...changed } } };
}

function settingNamed(typed: string): SettingName {
  const names: readonly SettingName[] = ["profile", "output", "base-url", "intake-url"];
  const found = names.find((name) => name === typed);
  if (found !== undefined) return found;
  throw usageError(`Unknown setting ${typed}. Known settings: ${names.join(", ")}.`);
}

function formatNamed(value: string) {
  const found = formats.find((name) => name === value);
  if (found !== undefined) return found;
  throw usageError(`The output must be one of ${formats.join(", ")}, not ${value}.`);
}

function checkedUrl(value: string): string {
  const parsed = z.url().safeParse(value);
  if (parsed.success) return parsed.data;
  throw usageError(`${value} is not a URL.`);
}
