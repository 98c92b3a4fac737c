import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { giveWay } from "@headwater/kernel/priority";
import { rootFolder } from "../../bootstrap/places.mjs";

/** Runs a Node script (a tool's or ours, by its path from the root) on our terminal; answers its exit code. */
export async function runScript(script: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [join(rootFolder, script), ...args], {
    cwd: rootFolder,
    env,
    stdio: "inherit",
  });
  return exitCodeOf(child);
}

/**
 * Runs like `runScript`, for scripts that run side by side: all write whole lines, and none draws on the terminal.
 * @param niceness of a script that gives way to the others.
 */
export async function runScriptByLines(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  niceness?: number,
): Promise<number> {
  const colors = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(process.execPath, [join(rootFolder, script), ...args], {
    cwd: rootFolder,
    env: { ...env, ...colors },
    stdio: ["ignore", "pipe", "pipe"],
    // Leads a session of its own, so that its low priority counts.
    detached: niceness !== undefined,
  });
  if (niceness !== undefined && child.pid !== undefined) {
    giveWay(child.pid, niceness);
    // Signals of the terminal do not reach another session.
    const end = () => child.kill();
    process.once("exit", end);
    child.once("exit", () => process.off("exit", end));
  }
  const forwarded = [forwardLines(child.stdout, process.stdout), forwardLines(child.stderr, process.stderr)];
  const code = await exitCodeOf(child);
  await Promise.all(forwarded);
  return code;
}

export const vitest = "node_modules/vitest/vitest.mjs";

async function exitCodeOf(child: ChildProcess): Promise<number> {
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

async function forwardLines(from: Readable, to: Writable): Promise<void> {
  for await (const line of createInterface({ input: from, crlfDelay: Number.POSITIVE_INFINITY })) to.write(`${line}\n`);
}
