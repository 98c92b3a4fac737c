import { createAccount } from "@headwater/accounts/accounts/accounts";
import { createApiKey } from "@headwater/accounts/accounts/apiKeys";
import { type ClickHouse, createClickHouse } from "@headwater/clickhouse/clickhouse";
import { migrateClickHouse } from "@headwater/clickhouse/migrate";
import { accountSettings } from "@headwater/contracts";
import { createLogger, hashApiKey, newAccountId, newApiKey } from "@headwater/kernel";
import { createPostgres, type Postgres } from "@headwater/postgres/connection/postgres";
import { migratePostgres } from "@headwater/postgres/migrate/migrate";
import { createTopicAdmin } from "@headwater/topics";
import { type RunningServices, startTestServices } from "../../../infra/src/index.ts";

/** Ports above those of the suites and the bench, below those that systems give to outgoing connections. */
const PORTS_ABOVE = 600;
const STATEMENT_TIMEOUT_MS = 60_000;

export const quiet = createLogger({ name: "faults", level: "silent" });

/** Real services of their own, to be killed, with an account in them; and connections to look into them. */
export interface Ground {
  readonly services: RunningServices;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly account: { readonly number: number; readonly id: string };
  readonly apiKey: string;
  stop(): Promise<void>;
}

export interface GroundOptions {
  readonly kafkaNodes?: 1 | 3;
  /** Default: every double of an activity shows, and the service cannot read the table. False where it has to. */
  readonly hasPlainActivities?: boolean;
  /** Default false: services start quickly. True where times are measured: they run as in an installation. */
  readonly isMeasured?: boolean;
}

/** Empty services, migrated, with all topics and one account that may send as much as it likes. */
export async function prepareGround(
  name: string,
  onProgress: (line: string) => void,
  { kafkaNodes = 1, hasPlainActivities = true, isMeasured = false }: GroundOptions = {},
): Promise<Ground> {
  const env = withoutAddresses();
  const own = { name, portsAbove: PORTS_ABOVE, kafkaNodes, isShortLived: !isMeasured };
  const services = await startTestServices({ ...own, onProgress, env });
  const logger = quiet;
  await migratePostgres({ url: services.postgresUrl, logger });
  const clickhouse = createClickHouse({
    url: services.clickhouseUrl,
    requestTimeoutMs: STATEMENT_TIMEOUT_MS,
    logger,
  });
  await migrateClickHouse({ url: services.clickhouseUrl, logger });
  if (hasPlainActivities) await keepDoubledActivities(clickhouse);
  const admin = createTopicAdmin({ brokers: services.kafkaBrokers.split(","), clientId: "faults", logger });
  await admin.apply();
  await admin.close();
  const postgres = createPostgres({
    url: services.postgresUrl,
    poolMax: 4,
    applicationName: "faults",
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    logger,
  });
  const { account, apiKey } = await addAccount(postgres, name);
  const stop = async () => {
    await postgres.close();
    await clickhouse.close();
    await services.stop();
  };
  return { services, postgres, clickhouse, account, apiKey, stop };
}

/** The suites' shared services are not the ones to kill. */
function withoutAddresses(): NodeJS.ProcessEnv {
  const { KAFKA_BROKERS, SCHEMA_REGISTRY_URL, POSTGRES_URL, CLICKHOUSE_URL, ...env } = process.env;
  return env;
}

/**
 * Takes the second line of defence from the table of activities: ReplacingMergeTree would fold doubles away in the background, and here
 * every one of them must show. It comes after the migrations, which make the table again.
 */
async function keepDoubledActivities(clickhouse: ClickHouse): Promise<void> {
  const [created] = await clickhouse.query<{ sql: string }>(
    "SELECT create_table_query AS sql FROM system.tables WHERE database = currentDatabase() AND name = 'activities'",
  );
  const sql = created?.sql ?? "";
  const plain = sql
    .replace(/^CREATE TABLE \S*activities /, "CREATE TABLE activities_that_never_fold ")
    .replace("ENGINE = ReplacingMergeTree(seniority)", "ENGINE = MergeTree");
  if (!/^CREATE TABLE activities_that_never_fold .* ENGINE = MergeTree /s.test(plain))
    throw new Error(`the table of activities has another form than this test knows: ${sql}`);
  await clickhouse.command(plain);
  await clickhouse.command("EXCHANGE TABLES activities AND activities_that_never_fold");
  await clickhouse.command("DROP TABLE activities_that_never_fold");
}

/** An account that may send as much as it likes, and a key of it. */
export async function addAccount(postgres: Postgres, name: string, scopes: readonly string[] = ["intake", "read"]) {
  const limits = {
    ...{ intakePerSecond: 1_000_000, readPerSecond: 1_000_000, audienceCountPerSecond: 1_000 },
    jobStartPerSecond: 10,
  };
  const account = await createAccount(postgres, {
    id: newAccountId(),
    name,
    settings: accountSettings.parse({ limits }),
  });
  const apiKey = newApiKey();
  await createApiKey(postgres, {
    id: newAccountId(),
    account: account.number,
    hash: hashApiKey(apiKey),
    prefix: apiKey.slice(0, 6),
    name,
    scopes,
  });
  return { account, apiKey };
}
