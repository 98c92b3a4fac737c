import type { Command } from "commander";
import type { Call, CallOf } from "../call.ts";

export interface LeafCommand {
  /** Its name and arguments as commander reads them: `get <account>`. */
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly string[];
  /** Adds the options of this command. */
  readonly options?: (command: Command) => Command;
  /** @param input options as typed, common ones included. */
  run(call: Call, args: readonly string[], input: unknown): Promise<void>;
}

/** Hangs a command that does something into the tree. */
export function addLeaf(parent: Command, leaf: LeafCommand, callOf: CallOf): void {
  const command = parent.command(leaf.usage).description(leaf.summary);
  leaf.options?.(command);
  command.addHelpText("after", `\nExamples:\n${leaf.examples.map((line) => `  $ ${line}`).join("\n")}`);
  command.action(async () => leaf.run(callOf(command), command.args, command.opts()));
}

/** Hangs a command into the tree that only holds others. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary);
}
