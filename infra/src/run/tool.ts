import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { rootFolder } from "../../bootstrap/places.mjs";

/** Runs a Node script (a tool's or ours, by its path from the root) on our terminal; answers its exit code. */
export async function runScript(script: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [join(rootFolder, script), ...args], {
    cwd: rootFolder,
    env,
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

export const vitest = "node_modules/vitest/vitest.mjs";
