import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure } from "./failure.mjs";
import { say } from "./say.mjs";

const PROGRESS_EVERY_MS = 5_000;
const OUTPUT_CHARS_MAX = 50_000;
const NETWORK_ERRORS =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNRESET|ECONNREFUSED|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EINTEGRITY|network)\b/;

/**
 * Runs `npm ci` where node_modules is missing or is not what package-lock.json says. Its cache keeps what was fetched, so a
 * second run goes on where the first broke off. A Failure when it ends badly.
 * @param {string} root
 * @param {{install?: typeof npmCi, report?: (line: string) => void}} [how]
 */
export async function ensurePackages(root, { install = npmCi, report = say } = {}) {
  if (isInstalled(root)) return;
  const total = Object.keys(readLock(join(root, "package-lock.json"))).length;
  report(`installing ${total} packages with npm ci (about 450 MB to fetch, once)`);
  const begunMs = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - begunMs) / 1_000);
    // Folders are made first, and filled for a while.
    report(`npm ci: ${countFolders(join(root, "node_modules"))} package folders, ${seconds} s`);
  }, PROGRESS_EVERY_MS);
  try {
    const { code, output } = await install(root);
    if (code !== 0) throw new Failure(sentenceOf(output));
  } finally {
    clearInterval(timer);
  }
  if (!isInstalled(root))
    throw new Failure("npm ci ended well and packages are missing all the same: remove node_modules and try again.");
  report("the packages are installed");
}

/**
 * Returns true when every package of package-lock.json stands in node_modules in the same version, and a link to each of our own, of
 * which an upgrade may have new ones. What npm leaves out on this system (optional packages of others) may be missing.
 * @param {string} root
 */
export function isInstalled(root) {
  const hidden = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(hidden) || !existsSync(join(root, "node_modules", ".bin", "node"))) return false;
  const installed = readLock(hidden);
  const lock = join(root, "package-lock.json");
  if (!linksOf(lock).every((path) => existsSync(join(root, path)))) return false;
  return Object.entries(readLock(lock)).every(([path, wanted]) => {
    const found = installed[path];
    return found === undefined
      ? wanted.optional === true || wanted.devOptional === true
      : found.version === wanted.version;
  });
}

/**
 * The packages under node_modules by path; links to our own folders are left out.
 * @param {string} file
 * @returns {Record<string, {version?: string, optional?: boolean, devOptional?: boolean, link?: boolean}>}
 */
function readLock(file) {
  const { packages } = JSON.parse(readFileSync(file, "utf8"));
  return Object.fromEntries(
    Object.entries(packages).filter(([path, entry]) => path.includes("node_modules/") && entry.link !== true),
  );
}

/** Returns where the links to our own folders stand. @param {string} file @returns {string[]} */
function linksOf(file) {
  const { packages } = JSON.parse(readFileSync(file, "utf8"));
  return Object.keys(packages).filter((path) => packages[path].link === true);
}

/**
 * Counts the package folders in node_modules while npm adds and removes them.
 * @param {string} folder
 */
export function countFolders(folder) {
  const names = namesIn(folder).filter((name) => !name.startsWith("."));
  return names.flatMap((name) => (name.startsWith("@") ? namesIn(join(folder, name)) : [name])).length;
}

/**
 * Returns the names in a folder, none where it is gone.
 * @param {string} folder
 */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** The packages that are whole only after their install script: that of `node` links the binary. Any of the others could run anything at the first start. */
export const scriptedPackages = ["node"];

/**
 * Runs `npm ci` without install scripts; those of `scriptedPackages` are run afterwards, by name.
 * @param {string} root
 * @returns {Promise<{code: number | null, output: string}>}
 */
export async function npmCi(root) {
  const done = await npm(root, ["ci", "--ignore-scripts"]);
  return done.code === 0 ? npm(root, ["rebuild", ...scriptedPackages, "--ignore-scripts=false"]) : done;
}

/**
 * npm runs on the Node that is outside: the one in node_modules is about to be replaced.
 * @param {string} root
 * @param {readonly string[]} command
 * @returns {Promise<{code: number | null, output: string}>}
 */
function npm(root, command) {
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const args = [...command, "--no-audit", "--no-fund", "--loglevel=error"];
  return new Promise((resolve) => {
    const env = { ...process.env, PATH: path.join(delimiter) };
    const child = spawn("npm", args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    /** @param {Buffer} chunk */
    const collect = (chunk) => {
      output = (output + chunk).slice(-OUTPUT_CHARS_MAX);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("error", (error) => resolve({ code: null, output: String(error) }));
    child.once("close", (code) => resolve({ code, output }));
  });
}

/** @param {string} output */
function sentenceOf(output) {
  if (/\bENOSPC\b/.test(output))
    return "the disk was full before all packages were installed: make room and run the same command again.";
  if (/ENOENT.*npm|spawn npm/.test(output))
    return "npm is not on PATH and installs the packages: install it with Node.";
  if (/\bEUSAGE\b/.test(output))
    return "package.json and package-lock.json name different packages: run npm install, then npm run generate.";
  const network = output.match(NETWORK_ERRORS)?.[0];
  if (network !== undefined) {
    return `the download of packages broke off (${network}): check the connection and run the same command again, what was fetched is kept.`;
  }
  const lines = output.split("\n").map((line) => line.replace(/^npm (error|ERR!)\s*/, "").trim());
  const reason = lines.find((line) => line !== "" && !line.startsWith("code ")) ?? "it gave no reason";
  return `npm ci failed: ${reason.replace(/\.$/, "")}.`;
}
