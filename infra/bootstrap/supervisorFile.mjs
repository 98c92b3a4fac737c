import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SUPERVISOR_SCRIPT = "infra/src/start/main.ts";

/**
 * @typedef {object} Supervisor the process that runs Headwater for one HEADWATER_HOME
 * @property {number} pid
 * @property {string} operationsUrl
 */

/** The supervisor that is running for this home; undefined when there is none. @param {string} home @returns {Supervisor | undefined} */
export function findSupervisor(home) {
  const file = fileOf(home);
  if (!existsSync(file)) return undefined;
  const { pid, operationsUrl } = JSON.parse(readFileSync(file, "utf8"));
  return typeof pid === "number" && isSupervisor(pid) ? { pid, operationsUrl: String(operationsUrl) } : undefined;
}

/** @param {string} home @param {Supervisor} supervisor */
export function writeSupervisor(home, supervisor) {
  mkdirSync(join(home, "run"), { recursive: true, mode: 0o700 });
  writeFileSync(fileOf(home), `${JSON.stringify(supervisor)}\n`, { mode: 0o600 });
}

/** @param {string} home */
export function removeSupervisor(home) {
  rmSync(fileOf(home), { force: true });
}

/** @param {string} home */
function fileOf(home) {
  return join(home, "run", "supervisor.json");
}

/** A process id outlives its process: after a kill -9 it may be another's by now. @param {number} pid */
function isSupervisor(pid) {
  return commandOf(pid).includes(SUPERVISOR_SCRIPT);
}

/** @param {number} pid */
function commandOf(pid) {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}
