import type { Shell } from "./shells.ts";
import type { CompletionNode } from "./words.ts";

/** A script for the shell to source: it completes command words and options without running the command. */
export function scriptFor(shell: Shell, nodes: readonly CompletionNode[]): string {
  switch (shell) {
    case "bash":
      return bash(nodes);
    case "zsh":
      return zsh(nodes);
    case "fish":
      return fish(nodes);
  }
}

/** Every path of commands, as patterns of `case`: a word that leads to none of them is an argument. */
function patterns(nodes: readonly CompletionNode[]): string {
  return knownPaths(nodes).join("|");
}

/** The path is what was typed so far, up to the word under the cursor, without options and arguments. */
function bash(nodes: readonly CompletionNode[]): string {
  return `# headwater: completion for bash
_headwater() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${patterns(nodes)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${nodes.map((node) => `    ${quoted(node.path)}) words=${quoted(allWords(node).join(" "))} ;;`).join("\n")}
  esac
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _headwater headwater
`;
}

function zsh(nodes: readonly CompletionNode[]): string {
  return `#compdef headwater
# headwater: completion for zsh
_headwater() {
  local path_typed="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${path_typed:+$path_typed }$word" in
      ${patterns(nodes)}) path_typed="\${path_typed:+$path_typed }$word" ;;
    esac
  done
  case "$path_typed" in
${nodes.map((node) => `    ${quoted(node.path)}) compadd -- ${allWords(node).map(quoted).join(" ")} ;;`).join("\n")}
    *) _files ;;
  esac
}
if [ "$funcstack[1]" = "_headwater" ]; then _headwater "$@"; else compdef _headwater headwater; fi
`;
}

function fish(nodes: readonly CompletionNode[]): string {
  const lines = nodes.flatMap((node) => {
    const condition = `-n ${quoted(`test "$(__headwater_path)" = "${node.path}"`)}`;
    const commands = node.commands.map(
      ({ word, about }) => `complete -c headwater -f ${condition} -a ${quoted(word)} -d ${quoted(about)}`,
    );
    const options = node.options.map((option) => `complete -c headwater ${condition} ${flagOf(option)}`);
    return [...commands, ...options];
  });
  return `# headwater: completion for fish
function __headwater_path
  set -l path
  for word in (commandline -opc)[2..]
    contains -- (string join " " $path $word) ${knownPaths(nodes).join(" ")}; and set -a path $word
  end
  string join " " $path
end
${lines.join("\n")}
`;
}

function knownPaths(nodes: readonly CompletionNode[]): string[] {
  return nodes.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
}

function allWords({ commands, options }: CompletionNode): string[] {
  return [...commands.map(({ word }) => word), ...options];
}

function flagOf(option: string): string {
  return option.startsWith("--") ? `-l ${option.slice(2)}` : `-s ${option.slice(1)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
