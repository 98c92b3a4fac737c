import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect, createMemoryTerminal, runCommand } from "@headwater/cli";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { countersWithoutSeries, useServices } from "@headwater/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SupervisedProcess, testHomeFolder } from "../../../infra/src/index.ts";
import { type Apps, createApps } from "../../faults/harness/apps.ts";
import { type Fresh, freshClickHouse, freshPostgres } from "../stores/fresh.ts";
import { prepareTopics } from "../topics/prepareTopics.ts";

const START_MS = 120_000;
const SILENT_MS = 60_000;
const services = useServices();
const portBaseOf = (env: NodeJS.ProcessEnv) => Number(env.HEADWATER_PORT_BASE || 8420) + 10_900;
let apps: Apps;
let postgres: Fresh<Postgres>;
let clickhouse: Fresh<ClickHouse>;
let all: readonly SupervisedProcess[];

beforeAll(async () => {
  await prepareTopics();
  [postgres, clickhouse] = await Promise.all([freshPostgres(), freshClickHouse()]);
  const addresses = { ...services, postgresUrl: postgres.url, clickhouseUrl: clickhouse.url };
  const keyFile = join(testHomeFolder, "statusOfProcesses.key");
  mkdirSync(testHomeFolder, { recursive: true });
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString("hex"));
  const env = { HEADWATER_SETTINGS_KEY_FILE: keyFile, HEADWATER_TRACKING_URL: "http://127.0.0.1:1" };
  apps = createApps({ name: "statusOfProcesses", addresses, firstPort: portBaseOf(process.env), env });
  all = [
    apps.ingress(),
    apps.projector(0),
    apps.service(),
    apps.worker(),
    apps.sender(0),
    apps.tracker(),
    apps.automation(),
  ];
  await Promise.all(all.map((one) => one.start()));
}, START_MS);
afterAll(async () => {
  await apps?.stop();
  await postgres?.drop();
  await clickhouse?.drop();
}, START_MS);

interface Line {
  readonly part: string;
  readonly state: string;
  readonly detail: string;
}

async function status(): Promise<{ readonly code: number; readonly lines: readonly Line[] }> {
  const { terminal, out } = createMemoryTerminal({ input: "" });
  const env = {
    HEADWATER_HOME: "/nowhere",
    POSTGRES_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    KAFKA_BROKERS: services.kafkaBrokers,
    SCHEMA_REGISTRY_URL: services.schemaRegistryUrl,
  };
  const code = await runCommand({ args: ["status", "--json"], env, terminal, connect });
  return { code, lines: JSON.parse(out()) };
}

const stateOf = async (part: string) => (await status()).lines.find((line) => line.part === part)?.state;

test("every counter of every process is on its first page of metrics, and every process is ready", async () => {
  for (const { name } of all) {
    const url = `http://127.0.0.1:${apps.operationsPort(name)}`;
    const page = await (await fetch(`${url}/metrics`)).text();
    expect(page, name).toContain("headwater_");
    expect([name, countersWithoutSeries(page)]).toEqual([name, []]);
    const ready = await fetch(`${url}/ready`);
    expect([name, ready.status, await ready.json()]).toMatchObject([name, 200, { ok: true }]);
  }
});

test("status names all processes of the installation, and the one that is frozen, killed or stopped", {
  timeout: 4 * SILENT_MS,
}, async () => {
  const processes = async () => (await status()).lines.filter(({ part }) => part.startsWith("process "));
  await expect
    .poll(async () => (await processes()).map(({ part, state }) => [part, state]), { timeout: SILENT_MS })
    .toEqual(
      ["ingress", "projector", "service", "worker", "sender", "tracker", "automation"].map((name) => [
        `process ${name}`,
        "ok",
      ]),
    );
  await expect.poll(async () => (await status()).code, { timeout: SILENT_MS }).toBe(0);
  const [tracker, sender] = [apps.tracker(), apps.sender(0)];
  tracker.kill("SIGSTOP");
  await sender.stop();
  await expect.poll(() => stateOf("process sender"), { timeout: SILENT_MS }).toBe("missing");
  await expect.poll(() => stateOf("process tracker"), { timeout: SILENT_MS }).toBe("stuck");
  expect((await status()).code).toBe(1);
  tracker.kill("SIGCONT");
  await sender.start();
  await expect.poll(() => stateOf("process tracker"), { timeout: SILENT_MS }).toBe("ok");
  await expect.poll(async () => (await status()).code, { timeout: SILENT_MS }).toBe(0);
});
