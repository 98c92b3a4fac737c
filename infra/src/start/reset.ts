import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Failure } from "../../bootstrap/failure.mjs";
import { homeEntries } from "../closedHome.ts";

/** Empties the home, after asking on the terminal unless the user said --yes. */
export async function resetHome(home: string, isSure: boolean): Promise<void> {
  if (!isSure && !(await confirm(home))) throw new Failure(`nothing was removed: ${home} is as it was.`);
  for (const name of homeEntries) await rm(join(home, name), { recursive: true, force: true });
}

async function confirm(home: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Failure(`--reset removes all data in ${home} and nobody can be asked here: add --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Remove all data in ${home}? Type yes: `);
  terminal.close();
  return answer.trim().toLowerCase() === "yes";
}
