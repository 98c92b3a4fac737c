import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Failure, rootFolder } from "../../../infra/src/index.ts";

const run = promisify(execFile);
const LOCK_FILE = "package-lock.json";
const GENERATE = "infra/bootstrap/generate.mjs";
const MODULES = "node_modules";
/** Links to the packages of a checkout, which lead to its own folders because they are relative. */
const OUR_SCOPE = "@headwater";
const INSTALL = ["--ignore-scripts", "--no-audit", "--no-fund"];

/** A tree of the project whose processes are measured. */
export interface Checkout {
  readonly folder: string;
  /** Its short name in the report. */
  readonly name: string;
}

export const thisCheckout: Checkout = { folder: rootFolder, name: "this" };

/**
 * Runs work over a checkout of another commit, which lies in a temporary folder and is gone afterwards.
 * @param commit anything that Git finds a commit by, or a folder that holds a checkout, which stays.
 */
export async function withCheckout<Result>(
  commit: string,
  work: (checkout: Checkout) => Promise<Result>,
): Promise<Result> {
  if (existsSync(join(commit, LOCK_FILE))) return work({ folder: await realpath(commit), name: commit });
  const name = await shortName(commit);
  const folder = await mkdtemp(join(tmpdir(), "headwater-against-"));
  try {
    await git("worktree", "add", "--detach", folder, name);
    await install(folder);
    await generate(folder);
    return await work({ folder, name });
  } finally {
    await git("worktree", "remove", "--force", folder).catch(() => rm(folder, { recursive: true, force: true }));
    await git("worktree", "prune");
  }
}

async function shortName(commit: string): Promise<string> {
  try {
    return (await git("rev-parse", "--short", "--verify", "--end-of-options", `${commit}^{commit}`)).trim();
  } catch {
    throw new Failure(`--against is ${commit}, and Git knows no such commit.`);
  }
}

async function git(...args: string[]): Promise<string> {
  return (await run("git", args, { cwd: rootFolder })).stdout;
}

/** Links the modules of this tree where the lock files are equal; else installs those of the commit's own. */
async function install(folder: string): Promise<void> {
  const [ours, theirs] = await Promise.all([rootFolder, folder].map((at) => readFile(join(at, LOCK_FILE), "utf8")));
  if (ours === theirs) return linkModules(folder);
  // Lock files of some commits lack the optional packages of other platforms, which `npm ci` refuses.
  const installed = run("npm", ["ci", ...INSTALL], { cwd: folder });
  await installed.catch(() => run("npm", ["install", "--no-save", ...INSTALL], { cwd: folder }));
}

/** Generates the client of a commit that does not hold it in Git: its programs are run, not the commands that would do so. */
async function generate(folder: string): Promise<void> {
  const script = join(folder, GENERATE);
  if (existsSync(script)) await run(process.execPath, [script], { cwd: folder });
}

async function linkModules(folder: string): Promise<void> {
  const workspaces = (await git("ls-files", "--", "package.json", "*/package.json")).trim().split("\n").map(dirname);
  for (const workspace of workspaces) {
    const modules = join(rootFolder, workspace, MODULES);
    if (existsSync(modules)) await linkEach(modules, join(folder, workspace, MODULES));
  }
}

async function linkEach(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    await (name === OUR_SCOPE
      ? cp(source, target, { recursive: true, verbatimSymlinks: true })
      : symlink(source, target));
  }
}
