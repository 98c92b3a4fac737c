import type { ServiceClient } from "@headwater/api-client";
import type { Environment, Logger } from "@headwater/kernel";
import type { Command } from "commander";
import type { Addresses } from "./addresses.ts";
import type { Connections } from "./connections.ts";
import type { ExitCode } from "./failure.ts";
import type { CommonOptions } from "./options.ts";
import type { Access } from "./service/access.ts";
import type { Settings } from "./settings/settings.ts";
import type { Terminal } from "./terminal.ts";

/** All that a command works with: made when it runs, so that `--help` needs no configuration. */
export interface Call {
  readonly terminal: Terminal;
  readonly options: CommonOptions;
  readonly logger: Logger;
  readonly env: Environment;
  readonly addresses: Addresses;
  readonly connections: Connections;
  readonly settings: Settings;
  /** Returns the API's address and key. @throws HeadwaterError `CONFIG_INVALID` for a profile that does not exist. */
  access(): Access;
  /** The client of the API; with another access than the default one when it is given. @throws HeadwaterError `CONFIG_INVALID`. */
  service(access?: Access): ServiceClient;
  /** The command did its work and has a failure to report: exit code 1, or the one that is given. */
  fail(exitCode?: ExitCode): void;
}

export type CallOf = (command: Command) => Call;
