import type { Call } from "./call.ts";
import { usageError } from "./failure.ts";

/**
 * Asks before something that is hard to take back. `--yes` answers; where nobody can be asked it has to be given.
 * @returns false when the answer was no.
 */
export async function confirm(
  { options, terminal }: Pick<Call, "options" | "terminal">,
  question: string,
): Promise<boolean> {
  if (options.yes) return true;
  if (!terminal.isInTerminal) throw usageError(`${question} Input is not a terminal: use --yes.`);
  const answer = (await terminal.ask(`${question} [y/N] `)).trim().toLowerCase();
  return answer === "y" || answer === "yes";
}
