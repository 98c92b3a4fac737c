import { Failure } from "../../bootstrap/failure.mjs";
import { run } from "../../src/run.ts";

export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

const NAME = "postgres";

/** Postgres refuses to run as root: then the user `postgres`, made where there is none. Undefined: run as who we are. */
export async function findPostgresUser(): Promise<PostgresUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const found = await lookUp();
  if (found !== undefined) return found;
  const created = await run("useradd", [
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
    `Postgres does not run as root and the user ${NAME} could not be made (${created.output.trim()}): ` +
      "run as an ordinary user, or give a database by POSTGRES_URL.",
  );
}

async function lookUp(): Promise<PostgresUser | undefined> {
  const [uid, gid] = [await run("id", ["-u", NAME]), await run("id", ["-g", NAME])];
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}
