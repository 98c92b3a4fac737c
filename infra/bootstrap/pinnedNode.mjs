import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { rootFolder } from "./places.mjs";

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Goes on in the Node that is pinned in package.json, with our terminal, and ends with its exit code. The channel between the
 * two shows it when we are gone, so that it does not stay behind.
 * @param {string} script path from the root
 * @param {readonly string[]} args
 */
export async function runPinned(script, args) {
  const bin = join(rootFolder, "node_modules", ".bin");
  const compiled = join(rootFolder, "node_modules", ".cache", "compiled");
  const child = spawn(join(bin, "node"), [join(rootFolder, script), ...args], {
    cwd: rootFolder,
    env: {
      // Processes begin in about 60 % of the time where Node finds code that it compiled before.
      ...{ NODE_COMPILE_CACHE: compiled, ...process.env },
      PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
    },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // Ctrl-C reaches both of us: the child decides when it ends. What was sent to us alone goes on to it.
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  const [code, signal] = await once(child, "exit");
  process.exitCode = code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
}
