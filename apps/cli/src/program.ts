import { Command } from "commander";
import manifest from "../package.json" with { type: "json" };
import type { CallOf } from "./call.ts";
import { addAccounts } from "./commands/accounts.ts";
import { addApi } from "./commands/api.ts";
import { addApikeys } from "./commands/apikeys.ts";
import { addCompletion } from "./commands/completion.ts";
import { addConfig } from "./commands/config.ts";
import { addDeadletters } from "./commands/deadletters.ts";
import { addExport } from "./commands/exports.ts";
import { addImport } from "./commands/imports.ts";
import { addIngest } from "./commands/ingest.ts";
import { addMigrate } from "./commands/migrate.ts";
import { addSignIn } from "./commands/signIn.ts";
import { addStatus } from "./commands/status.ts";
import { addStores } from "./commands/stores.ts";
import { addTopics } from "./commands/topics.ts";
import { addCommonOptions } from "./options.ts";
import { addResource } from "./requests/run.ts";
import { resources } from "./resources/index.ts";
import type { Terminal } from "./terminal.ts";

export interface ProgramParts {
  readonly callOf: CallOf;
  readonly terminal: Terminal;
}

const AFTER_HELP = `
The API is at HEADWATER_BASE_URL with the key in HEADWATER_API_KEY, else as headwater login stored them, else as connection.json in
HEADWATER_HOME says (default .headwater here, else in the clone). Operators' commands take POSTGRES_URL, CLICKHOUSE_URL, KAFKA_BROKERS
and SCHEMA_REGISTRY_URL, else that file. Data goes to standard output, everything else to standard error.

Exit codes: 0 ok, 1 error, 2 usage, 3 not allowed, 4 not found, 5 not valid, 6 rate limited, 7 job failed.

Examples:
  $ headwater login --base-url https://api.example.com
  $ headwater contacts search --list vip --all -o ndjson
  $ headwater orders update 536365 --set status=shipped --dry-run
  $ headwater ingest batch upsertContact -f contacts.ndjson --wait
  $ headwater migrate && headwater topics apply --yes
  $ headwater accounts create --name shop --json
  $ headwater status`;

/** The whole tree of commands. Nothing is read or opened before one of them runs. */
export function createProgram({ callOf, terminal }: ProgramParts): Command {
  const program = new Command("headwater");
  program
    .description("Work with Headwater: contacts, lists, orders and all of /v2; accounts, keys, topics and stores.")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.say(text.trimEnd()),
      getOutHasColors: () => terminal.hasColours,
    })
    .version(`headwater ${manifest.version}`, "--version", "show the version")
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText("after", AFTER_HELP);
  addCommonOptions(program);
  for (const add of [addSignIn, addConfig]) add(program, callOf);
  for (const resource of resources) addResource(program, resource, callOf);
  for (const add of [addIngest, addImport, addExport, addApi, addApikeys, addDeadletters]) add(program, callOf);
  for (const add of [addStatus, addMigrate, addTopics, addStores, addAccounts, addCompletion]) add(program, callOf);
  return program;
}
