import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { say } from "./say.mjs";

const GENERATOR = "packages/api-client/generate/main.ts";
const LIBRARY = "openapi-typescript";
const GENERATED = "packages/api-client/src/generated";
const FILES = ["members.ts", "operations.ts", "paths.ts"];
/** Digest of the sources and of the files that were generated from them. */
const STAMP = "digest.txt";
const SOURCE_FOLDERS = ["packages", "apps/service"];
const GENERATE_TIMEOUT_MS = 300_000;
const OUTPUT_CHARS_MAX = 2_000;

/**
 * Generates the client of `/v2` where it is missing, was edited, or is older than its sources, and returns at once otherwise. Files are
 * replaced one by one as soon as all of them are written, so two processes may generate at once.
 * @param {string} root
 * @param {{isForced?: boolean, generate?: typeof runGenerator, report?: (line: string) => void}} [how]
 */
export function ensureApiClient(root, { isForced = false, generate = runGenerator, report = say } = {}) {
  const sources = digestSources(root);
  if (!isForced && isCurrent(root, sources)) return;
  report("generating the client of /v2 from the service's OpenAPI document");
  const target = join(root, GENERATED);
  const folder = temporaryFolder(target);
  try {
    const { code, output } = generate(root, folder);
    if (code !== 0)
      throw new Failure(`the client of /v2 could not be generated: ${output.slice(-OUTPUT_CHARS_MAX).trim()}`);
    const files = digestFiles(folder);
    writeFileSync(join(folder, STAMP), `${sources}\n${files}\n`);
    for (const name of [...FILES, STAMP]) renameSync(join(folder, name), join(target, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Generates the client where it is missing. @param {string} root */
export function ensureApiClientExists(root) {
  if (FILES.some((name) => !existsSync(join(root, GENERATED, name)))) ensureApiClient(root);
}

/** Returns whether the packages that the generator needs are installed; `npm ci --omit=dev` leaves them out. @param {string} root */
export function hasGenerator(root) {
  return ["packages/api-client", "."].some((folder) => existsSync(join(root, folder, "node_modules", LIBRARY)));
}

/**
 * Lists what the client is generated from, as paths from the root: all that the service's document may import, the generator, and the
 * versions of libraries. Tests and texts are left out.
 * @param {string} root
 * @returns {string[]}
 */
export function sourcesOfApiClient(root) {
  const found = SOURCE_FOLDERS.flatMap((folder) => filesBelow(root, folder));
  return [...found.filter((path) => !/\.test\.ts$|\.md$/.test(path)), "package-lock.json"].sort();
}

/** @param {string} root @param {string} sources */
function isCurrent(root, sources) {
  const folder = join(root, GENERATED);
  if ([...FILES, STAMP].some((name) => !existsSync(join(folder, name)))) return false;
  return readFileSync(join(folder, STAMP), "utf8") === `${sources}\n${digestFiles(folder)}\n`;
}

/** @param {string} root */
function digestSources(root) {
  return digest(root, sourcesOfApiClient(root));
}

/** @param {string} folder */
function digestFiles(folder) {
  return digest(folder, FILES);
}

/** @param {string} folder @param {readonly string[]} paths */
function digest(folder, paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    const content = readFileSync(join(folder, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} root @param {string} folder @returns {string[]} */
function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.name === "node_modules" || path === GENERATED) return [];
    if (entry.isDirectory()) return filesBelow(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/** Makes a folder inside the target, where no tool reads it and a rename stays on one file system. @param {string} target */
function temporaryFolder(target) {
  try {
    mkdirSync(target, { recursive: true });
    return mkdtempSync(join(target, ".new-"));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : error;
    throw new Failure(
      `the client of /v2 has to be generated and ${target} cannot be written (${reason}): make it writable.`,
    );
  }
}

/**
 * Runs the generator in the pinned Node, or in this one where packages were installed without scripts.
 * @param {string} root
 * @param {string} folder
 * @returns {{code: number | null, output: string}}
 */
function runGenerator(root, folder) {
  if (!hasGenerator(root)) return { code: null, output: "its packages are not installed; npm ci brings them." };
  const pinned = join(root, "node_modules", ".bin", "node");
  const compiled = join(root, "node_modules", ".cache", "compiled");
  const { status, stderr, error } = spawnSync(
    existsSync(pinned) ? pinned : process.execPath,
    [join(root, GENERATOR), folder],
    {
      cwd: root,
      encoding: "utf8",
      env: { NODE_COMPILE_CACHE: compiled, ...process.env },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: GENERATE_TIMEOUT_MS,
    },
  );
  return { code: status, output: error === undefined ? stderr : String(error) };
}
