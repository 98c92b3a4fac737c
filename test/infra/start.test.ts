import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rootFolder } from "../../infra/src/index.ts";

const PORT_BASE = 18_920;
const PORTS_OF_BASE = 40;

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "start-"));
});

afterEach(() => {
  rmSync(home, { recursive: true });
});

/** Runs `npm start` as a user would, with no service given by address. */
function start(env: Record<string, string> = {}, args: readonly string[] = ["--empty"]) {
  const ended = spawnSync(process.execPath, [join(rootFolder, "infra/bootstrap/start.mjs"), ...args], {
    env: {
      HOME: home,
      PATH: process.env.PATH,
      HEADWATER_HOME: join(home, "h"),
      HEADWATER_PORT_BASE: String(PORT_BASE),
      ...env,
    },
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status: ended.status, error: ended.stderr };
}

/** Listens at an offset from the first base where nobody does: a suite in another folder may be at the same test. */
async function takePort(offset: number): Promise<{ readonly server: Server; readonly base: number }> {
  for (let base = PORT_BASE; base < PORT_BASE + 20 * PORTS_OF_BASE; base += PORTS_OF_BASE) {
    const server = createServer().listen(base + offset, "127.0.0.1");
    const isListening = await Promise.race([
      once(server, "listening").then(() => true),
      once(server, "error").then(() => false),
    ]).catch(() => false);
    if (isListening) return { server, base };
  }
  throw new Error("no port is free");
}

test("a taken port ends npm start with one sentence and exit code 1, in the foreground and detached", async () => {
  const { server, base } = await takePort(14);
  const atBase = { HEADWATER_PORT_BASE: String(base) };
  const sentence = new RegExp(
    `^headwater: port ${base + 14}, wanted for postgres, is taken by process ${process.pid} \\(.*\\): stop that, or .*\\.\n`,
  );
  const inForeground = start(atBase);
  expect(inForeground.error).toMatch(new RegExp(`${sentence.source}$`));
  expect(inForeground.status).toBe(1);
  const detached = start(atBase, ["--empty", "--detach"]);
  expect(detached.error).toMatch(sentence);
  expect(detached.error).toContain("The end of ");
  expect(detached.status).toBe(1);
  server.close();
});

test("a taken port of the mail server ends npm start where the demo is loaded or a mail server is asked for", async () => {
  const { server: mail, base } = await takePort(32);
  const sentence = new RegExp(
    `^headwater: port ${base + 32}, wanted for the mail server, is taken by process ${process.pid} `,
  );
  for (const args of [[], ["--empty", "--mail"]]) {
    const { error, status } = start({ HEADWATER_PORT_BASE: String(base) }, args);
    expect([error, status]).toEqual([expect.stringMatching(sentence), 1]);
  }
  mail.close();
});

test("no Java on PATH ends npm start with one sentence and exit code 1", () => {
  const bin = join(home, "bin");
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, "node"));
  const { error, status } = start({ PATH: bin, JAVA_HOME: "", HEADWATER_NO_INSTALL: "1" });
  expect(error).toMatch(/^headwater: Java 17 or later \(java\) and Maven \(mvn\) are needed .*\.\n$/);
  expect(status).toBe(1);
});

test("data of another version end npm start with one sentence and exit code 1", () => {
  const data = join(home, "h", "data", "postgres");
  mkdirSync(join(data, "current"), { recursive: true });
  writeFileSync(join(data, "data-version"), "PostgreSQL 17\n");
  const services = {
    KAFKA_BROKERS: "127.0.0.1:9",
    SCHEMA_REGISTRY_URL: "http://127.0.0.1:9",
    CLICKHOUSE_URL: "http://127.0.0.1:9",
  };
  const { error, status } = start(services);
  expect(error).toMatch(
    /^headwater: the data in .* were written by PostgreSQL 17 and this Headwater runs PostgreSQL 18: .*\.\n$/,
  );
  expect(status).toBe(1);
});

test("a port base that is no number ends npm start with one sentence and exit code 1", () => {
  const { error, status } = start({ HEADWATER_PORT_BASE: "many" });
  expect(error).toBe("headwater: HEADWATER_PORT_BASE is many and must be a whole number from 1024 to 40000.\n");
  expect(status).toBe(1);
});
