import { Command } from "commander";
import type { CallOf } from "./call.ts";
import { addAccounts } from "./commands/accounts.ts";
import { addApikeys } from "./commands/apikeys.ts";
import { addCompletion } from "./commands/completion.ts";
import { addDeadletters } from "./commands/deadletters.ts";
import { addMigrate } from "./commands/migrate.ts";
import { addStatus } from "./commands/status.ts";
import { addTopics } from "./commands/topics.ts";
import { addCommonOptions } from "./options.ts";
import type { Terminal } from "./terminal.ts";

export interface ProgramParts {
  readonly callOf: CallOf;
  readonly terminal: Terminal;
}

const AFTER_HELP = `
Where things are is taken from POSTGRES_URL, CLICKHOUSE_URL, KAFKA_BROKERS and SCHEMA_REGISTRY_URL, else from connection.json in
HEADWATER_HOME (default .headwater). Data goes to standard output, everything else to standard error.

Exit codes: 0 ok, 1 error, 2 usage, 3 not allowed, 4 not found, 5 not valid, 6 rate limited, 7 job failed.

Examples:
  $ headwater migrate && headwater topics apply --yes
  $ headwater accounts create --name shop --json
  $ headwater deadletters group --account shop
  $ headwater status`;

/** The whole tree of commands. Nothing is read or opened before one of them runs. */
export function createProgram({ callOf, terminal }: ProgramParts): Command {
  const program = new Command("headwater");
  program
    .description("Operate Headwater: accounts, keys, topics, stores.")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.say(text.trimEnd()),
      getOutHasColors: () => terminal.hasColours,
    })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText("after", AFTER_HELP);
  addCommonOptions(program);
  const groups = [addMigrate, addTopics, addAccounts, addApikeys, addDeadletters, addStatus, addCompletion];
  for (const add of groups) add(program, callOf);
  return program;
}
