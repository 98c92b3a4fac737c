import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { createAccount } from "@headwater/accounts/accounts/accounts";
import { createApiKey } from "@headwater/accounts/accounts/apiKeys";
import { type ClickHouse, createClickHouse } from "@headwater/clickhouse/clickhouse";
import { type Account, defaultSettings } from "@headwater/contracts";
import { createLogger, hashApiKey, type Logger, newAccountId, newApiKey } from "@headwater/kernel";
import { createPostgres, type Postgres } from "@headwater/postgres/connection/postgres";
import { type Checkout, thisCheckout } from "../against/checkout.ts";
import type { Bench } from "./services.ts";
import { emptyTopics } from "./topics.ts";

/** Databases, topics and an account in which nothing has happened yet. */
export interface World {
  readonly account: Account;
  readonly apiKey: string;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  /** Environment of our processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Drops the databases. */
  close(): Promise<void>;
}

const run = promisify(execFile);
const UNLIMITED = 1_000_000_000;
const TIMEOUT_MS = 120_000;
const logger: Logger = createLogger({ name: "bench", level: "warn" });

/** @param name of the databases, which are dropped by `close`. */
export async function openWorld(bench: Bench, name: string): Promise<World> {
  const database = `bench_${name}_${Date.now()}`;
  const postgresUrl = withDatabase(bench.services.postgresUrl, database);
  const clickhouseUrl = withDatabase(bench.services.clickhouseUrl, database);
  await inServer(bench, `CREATE DATABASE ${database}`);
  await migrate(bench.checkout, { POSTGRES_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl });
  await emptyTopics(bench.services.kafkaBrokers);
  const postgres = openPostgres(postgresUrl);
  const clickhouse = createClickHouse({ url: clickhouseUrl, requestTimeoutMs: TIMEOUT_MS, logger });
  const { account, apiKey } = await addAccount(postgres);
  if (bench.checkout !== thisCheckout) await storeSettingsOf(bench.checkout, { postgres, account });
  return {
    account,
    apiKey,
    postgres,
    clickhouse,
    env: environmentOf(bench, { postgresUrl, clickhouseUrl }),
    async close() {
      await clickhouse.command(`DROP DATABASE ${database}`);
      await Promise.all([clickhouse.close(), postgres.close()]);
      await inServer(bench, `DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

/** Brings the databases to the schemas that the processes of a checkout know. */
async function migrate({ folder }: Checkout, env: Readonly<Record<string, string>>): Promise<void> {
  const command = [join(folder, "apps", "cli", "src", "main.ts"), "migrate"];
  await run(process.execPath, command, { cwd: folder, env: { ...process.env, ...env } });
}

/** Runs a path in a world of its own, which is gone afterwards whatever came of it. */
export async function withWorld<Result>(
  bench: Bench,
  name: string,
  run: (world: World) => Promise<Result>,
): Promise<Result> {
  const world = await openWorld(bench, name);
  try {
    return await run(world);
  } finally {
    await world.close();
  }
}

function environmentOf(
  { services, secretFile }: Bench,
  urls: { readonly postgresUrl: string; readonly clickhouseUrl: string },
): Record<string, string> {
  return {
    HEADWATER_HOST: "127.0.0.1",
    HEADWATER_ALLOW_PLAIN_HTTP: "loopback",
    HEADWATER_DRAIN_SECONDS: "0",
    HEADWATER_SECRET_FILE: secretFile,
    KAFKA_BROKERS: services.kafkaBrokers,
    SCHEMA_REGISTRY_URL: services.schemaRegistryUrl,
    POSTGRES_URL: urls.postgresUrl,
    CLICKHOUSE_URL: urls.clickhouseUrl,
  };
}

/** Commits before and after refuse members of settings that they do not know: each gets those of its own. */
async function storeSettingsOf(checkout: Checkout, { postgres, account }: Pick<World, "postgres" | "account">) {
  const program = `import { defaultSettings as usual } from "@headwater/contracts";
    const unlimited = ${JSON.stringify(unlimited)};
    process.stdout.write(JSON.stringify({ ...usual, limits: { ...usual.limits, ...unlimited } }));`;
  const options = { cwd: checkout.folder };
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], options);
  const text = "UPDATE intake.accounts SET settings = $2 WHERE number = $1";
  await postgres.execute({ text }, [account.number, stdout]);
}

/** Rates that no bench reaches. */
const unlimited = {
  intakePerSecond: UNLIMITED,
  readPerSecond: UNLIMITED,
  writePerSecond: UNLIMITED,
  audienceCountPerSecond: UNLIMITED,
};

/** An account whose rate limits no bench reaches. */
async function addAccount(postgres: Postgres) {
  const settings = { ...defaultSettings, limits: { ...defaultSettings.limits, ...unlimited } };
  const account = await createAccount(postgres, { id: newAccountId(), name: "bench", settings });
  const apiKey = newApiKey();
  await createApiKey(postgres, {
    id: newAccountId(),
    account: account.number,
    hash: hashApiKey(apiKey),
    prefix: apiKey.slice(0, 7),
    name: "bench",
    scopes: ["intake", "read", "write", "admin"],
  });
  return { account, apiKey };
}

async function inServer({ services }: Bench, text: string): Promise<void> {
  const server = openPostgres(services.postgresUrl);
  await server.execute({ text });
  await server.close();
}

function openPostgres(url: string): Postgres {
  return createPostgres({
    url,
    poolMax: 4,
    applicationName: "headwater-bench",
    statementTimeoutMs: TIMEOUT_MS,
    logger,
  });
}

function withDatabase(address: string, database: string): string {
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}
