import type { Logger } from "@headwater/kernel";
import type { Command } from "commander";
import type { Addresses } from "./addresses.ts";
import type { Connections } from "./connections.ts";
import type { CommonOptions } from "./options.ts";
import type { Terminal } from "./terminal.ts";

/** All that a command works with: made when it runs, so that `--help` needs no configuration. */
export interface Call {
  readonly terminal: Terminal;
  readonly options: CommonOptions;
  readonly logger: Logger;
  readonly addresses: Addresses;
  readonly connections: Connections;
  /** The command did its work and has something bad to tell: exit code 1. */
  fail(): void;
}

export type CallOf = (command: Command) => Call;
