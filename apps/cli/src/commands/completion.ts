import { Argument, type Command } from "commander";
import type { CallOf } from "../call.ts";
import { scriptFor } from "../completion/scripts.ts";
import { shells } from "../completion/shells.ts";
import { wordsOf } from "../completion/words.ts";

const EXAMPLES = `
Examples:
  $ source <(headwater completion bash)
  $ headwater completion zsh > "\${fpath[1]}/_headwater"
  $ headwater completion fish > ~/.config/fish/completions/headwater.fish`;

/** Made from the tree of commands, so that it never knows less than the help. */
export function addCompletion(program: Command, callOf: CallOf): void {
  const command = program
    .command("completion")
    .description("Print the completion script of a shell.")
    .addArgument(new Argument("<shell>").choices(shells))
    .addHelpText("after", EXAMPLES)
    .action((typed: string) => {
      const shell = shells.find((name) => name === typed);
      if (shell !== undefined) callOf(command).terminal.out(scriptFor(shell, wordsOf(program)));
    });
}
