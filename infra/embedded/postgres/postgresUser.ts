import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../bootstrap/failure.mjs";
import { run } from "../../src/run.ts";
import type { ProcessPlan } from "../../src/supervisedProcess.ts";

export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

const NAME = "postgres";
const OTHERS_MAY_ENTER = 0o001;
const SETPRIV = "/usr/bin/setpriv";

/** Postgres refuses to run as root: then the user `postgres`, made where there is none. Undefined: run as who we are. */
export async function findPostgresUser(): Promise<PostgresUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const found = await lookUp();
  if (found !== undefined) return found;
  const made = await run("useradd", [
    "--system",
    "--user-group",
    "--no-create-home",
    "--shell",
    "/usr/sbin/nologin",
    NAME,
  ]);
  const user = await lookUp();
  if (user !== undefined) return user;
  throw new Failure(
    `Postgres does not run as root and the user ${NAME} could not be made (${made.output.trim()}): ` +
      "run as an ordinary user, or give a database by POSTGRES_URL.",
  );
}

/**
 * The plan as that user. Where a folder above `paths` lets no other user in (a clone in /root), the process keeps the one
 * capability to pass through folders, by setpriv.
 */
export function asPostgresUser(
  user: PostgresUser | undefined,
  paths: readonly string[],
  plan: ProcessPlan,
): ProcessPlan {
  if (user === undefined) return plan;
  const closed = paths.flatMap(foldersAbove).find((folder) => !mayEnter(user, folder));
  if (closed === undefined) return { ...plan, uid: user.uid, gid: user.gid };
  if (!existsSync(SETPRIV)) {
    throw new Failure(
      `Postgres runs as the user ${NAME}, who may not enter ${closed}: clone elsewhere, or set POSTGRES_URL.`,
    );
  }
  const capabilities = "+dac_override,+dac_read_search";
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"];
  const kept = [`--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`];
  return { ...plan, command: SETPRIV, args: [...identity, ...kept, "--", plan.command, ...plan.args] };
}

async function lookUp(): Promise<PostgresUser | undefined> {
  const [uid, gid] = [await run("id", ["-u", NAME]), await run("id", ["-g", NAME])];
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}

function foldersAbove(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...foldersAbove(parent), parent];
}

function mayEnter(user: PostgresUser, folder: string): boolean {
  const { mode, uid } = statSync(folder);
  return uid === user.uid || (mode & OTHERS_MAY_ENTER) !== 0;
}
