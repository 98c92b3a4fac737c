import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../../bootstrap/failure.mjs";
import type { ServiceDefinition } from "../../src/definition.ts";
import { bareEnvironment } from "../../src/environment.ts";
import { answersOk } from "../../src/http.ts";
import { runOrFail } from "../../src/run.ts";
import { writeSettings } from "../../src/settingsFile.ts";
import { CLICKHOUSE_DATABASE, CLICKHOUSE_USER, serverSettings, userSettings } from "./settings.ts";

/** Queries and merges take all processors that they find: calls at the intake, which need none of them, come first. */
const NICENESS = 5;
const LIBRARY_RUNNER = fileURLToPath(new URL("runLibrary.ts", import.meta.url));

/** Serves HTTP until it is killed: the last query ends after a hundred years. */
const QUERY = [
  `CREATE DATABASE IF NOT EXISTS ${CLICKHOUSE_DATABASE} ENGINE = Atomic`,
  "SYSTEM START LISTEN HTTP",
  "SELECT sleepEachRow(3) FROM numbers(1000000000) SETTINGS max_block_size = 1 FORMAT Null",
].join("; ");

export interface ClickHouseOptions {
  readonly port: number;
  readonly password: string;
  /** A server of tests does not give way: they wait for it. */
  readonly isShortLived?: boolean | undefined;
}

/** The address of the database that is made for Headwater, with the user and the password of its processes. */
export function clickhouseUrl({ port, password }: ClickHouseOptions): string {
  return `http://${CLICKHOUSE_USER}:${password}@127.0.0.1:${port}/${CLICKHOUSE_DATABASE}`;
}

/** ClickHouse 26.7: the engine of the npm package chdb in a child process, or a `clickhouse` program from PATH. */
export function defineClickHouse({ port, password, isShortLived = false }: ClickHouseOptions): ServiceDefinition {
  return {
    name: "clickhouse",
    dataVersion: async () => `ClickHouse ${(await findEngine()).version}`,
    fetch: async () => void (await findEngine()),
    prepare: async (folder) => {
      await mkdir(join(folder, "store"), { recursive: true });
    },
    launch: async (folder) => {
      const engine = await findEngine();
      const args = await serverArgs(folder, { port, password });
      const env = { ...bareEnvironment(), NODE_NO_WARNINGS: "1" };
      const common = { env, cwd: folder, ...(!isShortLived && { niceness: NICENESS }) };
      if (engine.kind === "program") return { ...common, command: engine.path, args: ["local", ...args] };
      return { ...common, command: process.execPath, args: [LIBRARY_RUNNER, engine.path, "clickhouse", ...args] };
    },
    isReady: (signal) =>
      answersOk(`http://127.0.0.1:${port}/?query=SELECT%201`, signal, {
        "X-ClickHouse-User": CLICKHOUSE_USER,
        "X-ClickHouse-Key": password,
      }),
  };
}

/** The settings are written at every start, so that new ones take effect on old data. */
async function serverArgs(folder: string, { port, password }: ClickHouseOptions): Promise<string[]> {
  const config = join(folder, "server.xml");
  const users = join(folder, "users.xml");
  await writeSettings(users, userSettings(password));
  await writeSettings(config, serverSettings({ users, password }));
  const position = ["--config-file", config, "--path", join(folder, "store")];
  return [...position, "--listen_host", "127.0.0.1", "--http_port", String(port), "--query", QUERY];
}

/** `version` is the first two numbers, "26.7": data may be read by every build of the same. */
interface Engine {
  readonly kind: "library" | "program";
  readonly path: string;
  readonly version: string;
}

/** The pinned library for this platform, else a `clickhouse` program from PATH, else a Failure. */
async function findEngine(env: NodeJS.ProcessEnv = process.env): Promise<Engine> {
  const engine = findLibrary() ?? (await findProgram(env));
  if (engine !== undefined) return engine;
  throw new Failure(
    `there is no ClickHouse library for ${process.platform} ${process.arch}: put a clickhouse program on PATH or set CLICKHOUSE_URL.`,
  );
}

function findLibrary(): Engine | undefined {
  const platform = `${process.platform}-${process.arch}${process.platform === "linux" ? "-gnu" : ""}`;
  const positions = createRequire(import.meta.url).resolve.paths("@chdb") ?? [];
  const folder = positions
    .map((place) => join(place, "@chdb", `lib-${platform}`))
    .find((place) => existsSync(join(place, "libchdb.so")));
  if (folder === undefined) return undefined;
  const version = twoNumbers(readFileSync(join(folder, "package.json"), "utf8").match(/"version":\s*"([^"]+)"/)?.[1]);
  return { kind: "library", path: join(folder, "libchdb.so"), version };
}

async function findProgram(env: NodeJS.ProcessEnv): Promise<Engine | undefined> {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const path = folders.map((folder) => join(folder, "clickhouse")).find((file) => existsSync(file));
  if (path === undefined) return undefined;
  const output = await runOrFail("asking ClickHouse for its version", path, ["local", "--query", "SELECT version()"]);
  return { kind: "program", path, version: twoNumbers(output.trim()) };
}

function twoNumbers(version: string | undefined): string {
  const numbers = version?.match(/^\d+\.\d+/)?.[0];
  if (numbers === undefined) throw new Error(`${version} is no version of ClickHouse`);
  return numbers;
}
