import { createLogger, type Environment, type Logger } from "@headwater/kernel";
import { type Command, CommanderError } from "commander";
import { type Addresses, readAddresses } from "./addresses.ts";
import type { Call } from "./call.ts";
import type { Connections } from "./connections.ts";
import { exitCodeOf, exitCodes, sayFailure } from "./failure.ts";
import { parseOptions } from "./options.ts";
import { createProgram } from "./program.ts";
import type { Terminal } from "./terminal.ts";

export interface RunOptions {
  /** What was typed after `headwater`. */
  readonly args: readonly string[];
  readonly env: Environment;
  readonly terminal: Terminal;
  connect(addresses: Addresses, logger: Logger): Connections;
}

/** Runs one command to its end. Everything it has to say about failure was said. @returns the exit code. */
export async function runCommand({ args, env, terminal, connect }: RunOptions): Promise<number> {
  let exitCode: number = exitCodes.ok;
  const callOf = (command: Command): Call => {
    const options = parseOptions(command.optsWithGlobals());
    const logger = createLogger({
      name: "headwater",
      level: options.verbose ? "debug" : "silent",
      destination: { write: (line) => terminal.say(line.trimEnd()) },
    });
    const addresses = readAddresses(env);
    const fail = () => {
      exitCode = exitCodes.error;
    };
    return { terminal, options, logger, addresses, connections: connect(addresses, logger), fail };
  };
  const program = createProgram({ callOf, terminal });
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    sayFailure(
      terminal,
      error,
      args.some((word) => word === "--verbose" || word === "-V"),
    );
    return exitCodeOf(error);
  }
}
