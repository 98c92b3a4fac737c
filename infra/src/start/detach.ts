import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../../bootstrap/failure.mjs";
import { BoundedLog } from "../boundedLog.ts";
import { OWNERS_FILE, OWNERS_FOLDER } from "../closedHome.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const TAIL_LINES = 20;

/** Messages of the process in the background to the one that waits for it. */
export type BackgroundMessage =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly reason: string };

export function supervisorLog(home: string): BoundedLog {
  return new BoundedLog(join(home, "logs", "supervisor.log"));
}

/**
 * Starts the supervisor as a process of its own, shows its progress, and returns when everything is ready. A Failure with the
 * reason and the end of its log when it could not be.
 */
export async function startDetached(home: string, args: readonly string[], say: (line: string) => void): Promise<void> {
  mkdirSync(join(home, "logs"), { recursive: true, mode: OWNERS_FOLDER });
  const output = openSync(join(home, "logs", "supervisor.output.log"), "w", OWNERS_FILE);
  const child = spawn(process.execPath, [MAIN, "--background", ...args], {
    detached: true,
    stdio: ["ignore", output, output, "ipc"],
  });
  closeSync(output);
  let outcome: BackgroundMessage | undefined;
  child.on("message", (message) => {
    const received = parseMessage(message);
    if (received.kind === "line") say(received.line);
    else outcome = received;
    if (received.kind !== "line" && child.connected) child.disconnect();
  });
  await Promise.race([once(child, "disconnect"), once(child, "exit")]);
  child.unref();
  if (outcome?.kind === "ready") return;
  const reason = outcome?.kind === "failed" ? outcome.reason : "the supervisor ended before it was ready.";
  throw new Failure(
    `${reason}\nThe end of ${join(home, "logs", "supervisor.log")}:\n${supervisorLog(home).tail(TAIL_LINES)}`,
  );
}

function parseMessage(message: unknown): BackgroundMessage {
  if (typeof message !== "object" || message === null || !("kind" in message)) throw new Error("a message has a kind");
  if (message.kind === "line" && "line" in message) return { kind: "line", line: String(message.line) };
  if (message.kind === "failed" && "reason" in message) return { kind: "failed", reason: String(message.reason) };
  if (message.kind === "ready") return { kind: "ready" };
  throw new Error(`no message is of the kind ${String(message.kind)}`);
}
