import { existsSync } from "node:fs";
import { access, chmod, constants, cp, lstat, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Failure } from "../../bootstrap/failure.mjs";

const STICKY = 0o1000;
const OTHERS_MAY_ENTER = 0o001;
const OTHERS_MAY_WRITE = 0o022;
const ANYBODY_MAY_RUN = 0o111;
const OPEN_FOLDER = 0o755;
const OPEN_FILE = 0o644;

/** Folder for files that a program can make again, in Linux: root's own, and open to all. */
const SYSTEM_CACHE = "/var/cache/headwater";

/**
 * Copies a folder of programs to where another user may run them, and returns the copy. The programs stand in the clone, which may be
 * closed to all but its owner, as /root is, and then no user we become can run them. The first of `parents` serves that every user can
 * reach and only root and we can write to: what lies there cannot be exchanged. A copy that is there already and whole is kept.
 */
export async function stageFolder(source: string, name: string, parents: readonly string[]): Promise<string> {
  const parent = await findOpenParent([...parents, SYSTEM_CACHE]);
  const staged = join(parent, name);
  if (await isWholeCopy(source, staged)) return staged;
  const unfinished = await mkdtemp(`${staged}.unfinished-`);
  try {
    await cp(source, unfinished, { recursive: true, verbatimSymlinks: true });
    await openTree(unfinished);
    await moveIntoPlace(unfinished, staged);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return staged;
}

/** Answers the first folder, made if need be, that others can enter and nobody but root and we can change. */
async function findOpenParent(parents: readonly string[]): Promise<string> {
  for (const parent of parents) {
    const existing = nearestExisting(parent);
    if (!(await isOpenAndOurs(existing)) || !(await isWritable(existing))) continue;
    await createOpenFolder(parent);
    return parent;
  }
  throw new Failure(
    `Postgres does not run as root, and its programs can be put nowhere that its own user may enter (${parents.join(", ")}): ` +
      "set HEADWATER_CACHE to a folder that everybody may enter and root alone may change, or give a database by POSTGRES_URL.",
  );
}

async function createOpenFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let created = folder; created.length >= first.length; created = dirname(created))
    await chmod(created, OPEN_FOLDER);
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}

/** Checks the folder and each one above it. In a sticky folder such as /tmp others cannot touch what is root's. */
async function isOpenAndOurs(folder: string): Promise<boolean> {
  const { mode, uid } = await lstat(folder);
  const isSafe = (mode & OTHERS_MAY_WRITE) === 0 || (mode & STICKY) !== 0;
  const isOpen = (mode & OTHERS_MAY_ENTER) !== 0;
  const isOurs = uid === 0 || uid === process.getuid?.();
  if (!isOurs || !isSafe || !isOpen) return false;
  const parent = dirname(folder);
  return parent === folder || isOpenAndOurs(parent);
}

/** False on a file system that is mounted for reading alone. */
async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** A power cut can leave a copy with empty files, so sizes are compared, not names alone. */
async function isWholeCopy(source: string, staged: string): Promise<boolean> {
  const [wanted, found] = [await sizesOf(source), await sizesOf(staged)];
  return wanted.size === found.size && [...wanted].every(([path, size]) => found.get(path) === size);
}

async function sizesOf(folder: string): Promise<ReadonlyMap<string, number>> {
  if (!existsSync(folder)) return new Map();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(
    files.map(async (file) => [relative(folder, file), (await lstat(file)).size] as const),
  );
  return new Map(sizes);
}

/** Lets every user read the copy and run its programs, whatever umask the packages were installed under. */
async function openTree(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isDirectory()) {
    await chmod(path, OPEN_FOLDER);
    for (const name of await readdir(path)) await openTree(join(path, name));
  } else if (found.isFile()) await chmod(path, (found.mode & ANYBODY_MAY_RUN) === 0 ? OPEN_FILE : OPEN_FOLDER);
}

/** Another start may put the same copy there meanwhile, and run from it: a whole copy is never taken away. */
async function moveIntoPlace(unfinished: string, staged: string): Promise<void> {
  const isMoved = await rename(unfinished, staged).then(
    () => true,
    async (error: unknown) => {
      if (await isWholeCopy(unfinished, staged)) return true;
      if (!(error instanceof Error && "code" in error && error.code === "ENOTEMPTY")) throw error;
      return false;
    },
  );
  if (isMoved) return;
  await rm(staged, { recursive: true, force: true });
  await rename(unfinished, staged);
}
