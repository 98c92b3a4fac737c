import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Failure } from "../../bootstrap/failure.mjs";
import { rootFolder } from "../../bootstrap/places.mjs";
import type { OnProgress } from "../definition.ts";

const DEMO = join(rootFolder, "infra", "demo", "main.ts");

export interface LoadDemoOptions {
  readonly connectionFile: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onProgress: OnProgress;
  /** Ends the loading when Headwater is stopped meanwhile. */
  readonly signal: AbortSignal;
}

/**
 * Runs the demo's loader. It talks to the public API only; where it and the key are, it reads in connection.json. On a
 * terminal it draws its progress bar itself, elsewhere its lines go through `onProgress`.
 */
export async function loadDemo({ connectionFile, env, onProgress, signal }: LoadDemoOptions): Promise<void> {
  const drawsItself = process.stdout.isTTY === true;
  const child = spawn(process.execPath, [DEMO], {
    cwd: rootFolder,
    env: { ...env, HEADWATER_CONNECTION_FILE: connectionFile, NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", drawsItself ? "inherit" : "pipe", drawsItself ? "inherit" : "pipe"],
    signal,
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", onProgress);
  }
  const code = await codeOf(child, signal);
  if (code !== 0) throw new Failure(`the demo could not be loaded (code ${code}): the lines above say why.`);
}

async function codeOf(child: ReturnType<typeof spawn>, signal: AbortSignal): Promise<unknown> {
  try {
    const [code] = await once(child, "close");
    return code;
  } catch (error) {
    if (signal.aborted) throw new Failure("stopped while the demo was loading.");
    throw error;
  }
}
