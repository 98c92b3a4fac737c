import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "./failure.mjs";

const PORT_BASE_DEFAULT = 8420;
const PORT_BASE_MIN = 1024;
/** Leaves room for the suites' own ports above it. */
const PORT_BASE_MAX = 40_000;

/** The clone. */
export const rootFolder = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** Data, logs, process ids and connection.json of `npm start`. @param {NodeJS.ProcessEnv} env */
export function homeFolder(env) {
  return resolve(rootFolder, env.HEADWATER_HOME || ".headwater");
}

/** Data folder of the suites, the bench and the fault runs, apart from it. */
export const testHomeFolder = join(rootFolder, ".headwater-test");

/** Returns the folder of downloads, shared by all clones: the user's cache folder + /headwater. @param {NodeJS.ProcessEnv} env */
export function cacheFolder(env) {
  if (env.HEADWATER_CACHE) return resolve(rootFolder, env.HEADWATER_CACHE);
  const ofMac = join(homedir(), "Library", "Caches");
  const ofUser = process.platform === "darwin" ? ofMac : env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(ofUser, "headwater");
}

/** @param {NodeJS.ProcessEnv} env */
export function portBase(env) {
  const text = env.HEADWATER_PORT_BASE || String(PORT_BASE_DEFAULT);
  const port = Number(text);
  if (Number.isInteger(port) && port >= PORT_BASE_MIN && port <= PORT_BASE_MAX) return port;
  throw new Failure(
    `HEADWATER_PORT_BASE is ${text} and must be a whole number from ${PORT_BASE_MIN} to ${PORT_BASE_MAX}.`,
  );
}
