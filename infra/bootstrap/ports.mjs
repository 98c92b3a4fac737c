import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { Failure } from "./failure.mjs";

const LISTENING = "0A";

/**
 * Ends with a Failure that names the port, what it was for and who holds it, unless every port is free on 127.0.0.1.
 * @param {readonly {port: number, use: string}[]} wanted
 */
export async function checkPortsFree(wanted) {
  for (const { port, use } of wanted) {
    if (await isPortFree(port)) continue;
    const holder = findPortHolder(port) ?? "a process that cannot be seen from here";
    throw new Failure(
      `port ${port}, wanted for ${use}, is taken by ${holder}: stop that, or choose other ports with HEADWATER_PORT_BASE.`,
    );
  }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export function isPortFree(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => {
      if ("code" in error && (error.code === "EADDRINUSE" || error.code === "EACCES")) resolve(false);
      else reject(error);
    });
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * The process that listens on a port, as "process 123 (java)"; undefined where neither /proc nor lsof shows it.
 * @param {number} port
 * @returns {string | undefined}
 */
export function findPortHolder(port) {
  return process.platform === "linux" ? holderFromProc(port) : holderFromLsof(port);
}

/** @param {number} port */
function holderFromProc(port) {
  const pid = findListeningPid(port);
  return pid === undefined ? undefined : `process ${pid} (${nameOf(String(pid))})`;
}

/**
 * The id of the process that listens on a port, read from /proc; undefined where that does not show it.
 * @param {number} port
 * @returns {number | undefined}
 */
export function findListeningPid(port) {
  const inodes = new Set([...listeningInodes("/proc/net/tcp", port), ...listeningInodes("/proc/net/tcp6", port)]);
  const found = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .find((pid) => socketsOf(pid).some((inode) => inodes.has(inode)));
  return found === undefined ? undefined : Number(found);
}

/**
 * @param {string} table
 * @param {number} port
 */
function listeningInodes(table, port) {
  const portInHex = port.toString(16).toUpperCase().padStart(4, "0");
  const rows = readOr(table, "")
    .split("\n")
    .slice(1)
    .map((row) => row.trim().split(/\s+/));
  return rows.filter((cells) => cells[1]?.endsWith(`:${portInHex}`) && cells[3] === LISTENING).map((cells) => cells[9]);
}

/** The inodes of a process's sockets; none when it is not ours to look into, or gone. @param {string} pid */
function socketsOf(pid) {
  try {
    const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOr(`/proc/${pid}/fd/${fd}`));
    return links.map((link) => link.match(/^socket:\[(\d+)\]$/)?.[1]).filter((inode) => inode !== undefined);
  } catch {
    return [];
  }
}

/** @param {string} path */
function linkOr(path) {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** @param {string} pid */
function nameOf(pid) {
  const words = readOr(`/proc/${pid}/cmdline`, "")
    .split("\0")
    .filter((word) => word !== "");
  return words.length === 0 ? readOr(`/proc/${pid}/comm`, "unknown").trim() : words.join(" ").slice(0, 80);
}

/**
 * @param {string} path
 * @param {string} otherwise
 */
function readOr(path, otherwise) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return otherwise;
  }
}

/** @param {number} port */
function holderFromLsof(port) {
  try {
    const options = { encoding: /** @type {const} */ ("utf8"), timeout: 5_000 };
    const output = execFileSync("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], options);
    const pid = output.match(/^p(\d+)$/m)?.[1];
    return pid === undefined ? undefined : `process ${pid} (${output.match(/^c(.+)$/m)?.[1] ?? "unknown"})`;
  } catch {
    return undefined;
  }
}
