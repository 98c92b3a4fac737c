import type { ServiceClient } from "@headwater/api-client";
import type { Command } from "commander";
import { z } from "zod";
import type { Call, CallOf } from "../call.ts";
import { usageError } from "../failure.ts";
import { parseWith } from "../options.ts";
import { showOne, showRows } from "../output/show.ts";
import type { Access } from "../service/access.ts";
import { missingKey } from "../service/serviceOf.ts";
import { addLeaf, type LeafCommand } from "./command.ts";

const schema = z.object({ baseUrl: z.url().optional(), intakeUrl: z.url().optional() });

const callerAnswer = z.object({
  caller: z.object({ kind: z.string(), id: z.string(), name: z.string(), client: z.string().optional() }),
  account: z.object({ id: z.string(), name: z.string() }),
  role: z.string().optional(),
  scopes: z.array(z.string()),
  expiresAt: z.string().optional(),
});
const rolesAnswer = z.object({ data: z.array(z.looseObject({ role: z.string() })) });

const whoamiSchema = z.object({ token: z.boolean().default(false) });

const login: LeafCommand = {
  usage: "login",
  summary:
    "Check an API key and keep it for this profile. It is asked for, or read from standard input; never an argument.",
  examples: [
    "headwater login --base-url https://api.example.com",
    "headwater login --profile shop --base-url https://api.example.com < key.txt",
  ],
  options: (command) =>
    command
      .option("--base-url <url>", "address of /v2 and /api")
      .option("--intake-url <url>", "address of /api, when it is another one"),
  async run(call, _args, input) {
    const position = positionOf(call, parseWith(schema, input));
    const apiKey = (await readKey(call)).trim();
    if (apiKey === "") throw usageError("Standard input contains no key.");
    const access = { ...position, apiKey, source: "login" };
    const { account } = await check(call.service(access));
    const { settings } = call;
    const { baseUrl, intakeUrl } = position;
    const profile = { baseUrl, ...(intakeUrl !== undefined && intakeUrl !== baseUrl && { intakeUrl }) };
    const { config, profileName } = settings;
    settings.saveConfig({ ...config, profile: profileName, profiles: { ...config.profiles, [profileName]: profile } });
    settings.saveKey(apiKey);
    call.terminal.say(`Signed in at ${baseUrl} to ${account.name} (${account.id}) as the profile ${profileName}.`);
  },
};

const logout: LeafCommand = {
  usage: "logout",
  summary: "Forget the key of this profile. The key itself stays valid: headwater apikeys revoke ends it.",
  examples: ["headwater logout", "headwater logout --profile shop"],
  async run({ settings, terminal }) {
    const { apiKey, profileName } = settings;
    if (apiKey !== undefined) settings.saveKey(undefined);
    terminal.say(apiKey === undefined ? `Nobody is signed in as ${profileName}.` : `Signed out of ${profileName}.`);
  },
};

const whoami: LeafCommand = {
  usage: "whoami",
  summary: "Show who you are: the key, its account and scopes, the address, and where the key comes from.",
  examples: [
    "headwater whoami",
    "headwater whoami --json --fields accountId",
    'curl -H "X-API-Key: $(headwater whoami --token)" https://api.example.com/v2/health',
  ],
  options: (command) =>
    command.option("--token", "print the key itself, and nothing else, to standard output; nothing is requested"),
  async run(call, _args, provided) {
    if (parseWith(whoamiSchema, provided).token) return printKey(call);
    const { baseUrl, intakeUrl, source } = call.access();
    const { account, caller, ...rights } = await check(call.service());
    showOne(call, { accountId: account.id, name: account.name, caller, ...rights, baseUrl, intakeUrl, key: source });
  },
};

const rolesLeaf: LeafCommand = {
  usage: "roles",
  summary: "List the roles that people can have in an account, with their scopes.",
  examples: ["headwater roles", "headwater roles --json --fields role,scopes"],
  async run(call) {
    const { body } = await call.service().call("listRoles");
    showRows(call, ["role", "description", "scopes"], rolesAnswer.parse(body).data);
  },
};

/** Prints the key in use: alone on its line, or as the member `token` where a form of output is typed. */
function printKey(call: Call): void {
  const { apiKey: token, source } = call.access();
  if (token === undefined) throw missingKey(source);
  if (call.options.isFormatTyped) showOne(call, { token });
  else call.terminal.out(`${token}\n`);
}

export function addSignIn(program: Command, callOf: CallOf): void {
  for (const leaf of [login, logout, whoami, rolesLeaf]) addLeaf(program, leaf, callOf);
}

/** Returns the address that was typed, else the one that commands use anyway. */
function positionOf(
  call: Call,
  typed: z.output<typeof schema>,
): Pick<Access, "intakeUrl"> & { readonly baseUrl: string } {
  const fallback = typed.baseUrl === undefined ? defaultPosition(call) : undefined;
  const baseUrl = typed.baseUrl ?? fallback?.baseUrl;
  if (baseUrl === undefined) throw usageError("No address is set. Pass one: --base-url https://…");
  return { baseUrl, intakeUrl: typed.intakeUrl ?? fallback?.intakeUrl ?? baseUrl };
}

/** Returns the addresses of the profile; of a new profile, which has none yet, those of the environment. */
function defaultPosition(call: Call): Pick<Access, "baseUrl" | "intakeUrl"> {
  const { profile } = call.settings;
  if (profile.baseUrl !== undefined) return { baseUrl: profile.baseUrl, intakeUrl: profile.intakeUrl };
  const { HEADWATER_BASE_URL: base, HEADWATER_SERVICE_URL: service, HEADWATER_INGRESS_URL: ingress } = call.addresses;
  return { baseUrl: service ?? base, intakeUrl: ingress ?? base };
}

function readKey({ terminal }: Call): Promise<string> {
  return terminal.isInTerminal ? terminal.askSecret("API key: ") : terminal.readInput();
}

/** Checks the key: an invalid one is refused by every route. @returns who it is. */
async function check(service: ServiceClient): Promise<z.output<typeof callerAnswer>> {
  const { body } = await service.call("whoami");
  return callerAnswer.parse(body);
}
