import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { Failure } from "../../bootstrap/failure.mjs";
import { runOrFail } from "../../src/run.ts";

/** `version` is the first two numbers, "26.7": data may be read by every build of the same. */
export interface Engine {
  readonly kind: "library" | "program";
  readonly path: string;
  readonly version: string;
}

/** The pinned library for this platform, else a `clickhouse` program from PATH, else a Failure. */
export async function findEngine(env: NodeJS.ProcessEnv = process.env): Promise<Engine> {
  const engine = findLibrary() ?? (await findProgram(env));
  if (engine !== undefined) return engine;
  throw new Failure(
    `there is no ClickHouse library for ${process.platform} ${process.arch}: put a clickhouse program on PATH or set CLICKHOUSE_URL.`,
  );
}

function findLibrary(): Engine | undefined {
  const platform = `${process.platform}-${process.arch}${process.platform === "linux" ? "-gnu" : ""}`;
  const places = createRequire(import.meta.url).resolve.paths("@chdb") ?? [];
  const folder = places
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
