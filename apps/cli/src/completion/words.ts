import type { Command, Option } from "commander";

/** Words that may follow a path of commands (`accounts create`; empty: right after `headwater`). */
export interface CompletionNode {
  readonly path: string;
  readonly commands: readonly { readonly word: string; readonly about: string }[];
  readonly options: readonly string[];
}

/** The tree of commands, flat: one entry for each point at which something can be typed. */
export function wordsOf(program: Command): readonly CompletionNode[] {
  const common = program.options.flatMap(wordsOfOption);
  return walk(program, "", common);
}

function walk(command: Command, path: string, common: readonly string[]): CompletionNode[] {
  const own = command.parent === null ? [] : command.options.flatMap(wordsOfOption);
  const fixed = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const node: CompletionNode = {
    path,
    commands: [
      ...command.commands.map((sub) => ({ word: sub.name(), about: sub.description() })),
      ...fixed.map((word) => ({ word, about: "" })),
    ],
    options: [...own, ...common, "--help"],
  };
  return [node, ...command.commands.flatMap((sub) => walk(sub, `${path} ${sub.name()}`.trim(), common))];
}

function wordsOfOption({ short, long, hidden }: Option): string[] {
  return hidden ? [] : [short, long].filter((word) => word !== undefined);
}
