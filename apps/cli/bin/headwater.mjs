#!/usr/bin/env node
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Plain JavaScript for any Node from 20 on: the command itself is TypeScript for the Node that the clone pins. `npx` in the clone finds
// that one; a global install or a link begins with the Node that is on the PATH, and goes on in the pinned one.
const NODE_MAJOR = 26;
const NOT_SET_UP = 2;

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pinned = join(root, "node_modules", "node", "bin", "node");
const generator = join(root, "infra", "bootstrap", "generate.mjs");
const generated = join(root, "packages", "api-client", "src", "generated", "digest.txt");

// Packages installed without scripts leave the client of `/v2` to us. An image holds it and has no generator.
if (existsSync(pinned) && existsSync(generator) && !existsSync(generated) && !isGenerated()) {
  process.exitCode = NOT_SET_UP;
} else if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) {
  await import("../src/main.ts");
} else if (existsSync(pinned)) {
  await runPinned();
} else {
  process.stderr.write(
    `headwater: Node ${NODE_MAJOR} or later is needed, and this is Node ${process.versions.node}. Run npm ci in ${root}, which brings it.\n`,
  );
  process.exitCode = NOT_SET_UP;
}

/** Generates the client; what the generator says is no part of the command's output. */
function isGenerated() {
  return spawnSync(process.execPath, [generator], { stdio: ["ignore", process.stderr, process.stderr] }).status === 0;
}

/** Goes on in the pinned Node, in the caller's folder and on the caller's terminal, and ends as it ends. */
async function runPinned() {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const child = spawn(pinned, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  // Ctrl-C on a terminal reaches both processes: sent on, it would count twice, and the second one ends a command at once.
  process.on("SIGINT", () => {
    if (!process.stdin.isTTY) child.kill("SIGINT");
  });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const [code, signal] = await once(child, "exit");
  process.exitCode = code ?? 128 + constants.signals[signal];
}
