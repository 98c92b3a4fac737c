import type { ClickHouseBulk } from "@headwater/clickhouse/bulk";
import { type ClickHouse, createClickHouse } from "@headwater/clickhouse/clickhouse";
import { createLogger } from "@headwater/kernel";
import { createPostgres, type Postgres, type PostgresOptions } from "@headwater/postgres/connection/postgres";
import { useServices } from "@headwater/testing";
import { copyClickHouse, copyPostgres, databaseOf, urlOfFresh } from "./templates.ts";

export const logger = createLogger({ name: "stores-test", level: "silent" });
const STATEMENT_TIMEOUT_MS = 20_000;

export interface Fresh<Store> {
  readonly url: string;
  readonly store: Store;
  /** Gives the database up: nobody uses it any more. */
  drop(): Promise<void>;
}

/**
 * An empty database of Postgres; `migrated` false leaves it without tables. Whoever gives it up leaves it on the server until the next run
 * empties the data folder: ext4 does not hand out inodes again for minutes after they were freed and looks through all of those for each
 * new file, so that databases of 700 files each that come and go made a copy six times as expensive (0.7 s of processor time).
 */
export async function freshPostgres(migrated = true, options: Partial<PostgresOptions> = {}): Promise<Fresh<Postgres>> {
  const { postgresUrl } = useServices();
  const url = urlOfFresh(postgresUrl);
  const admin = postgresOn(postgresUrl);
  if (migrated) await copyPostgres(admin, url);
  else await admin.execute({ text: `CREATE DATABASE ${databaseOf(url)}` });
  const store = postgresOn(url.href, options);
  const drop = async () => {
    await store.close();
    await closeDatabase(admin, databaseOf(url));
    await admin.close();
  };
  return { url: url.href, store, drop };
}

/** Nobody can connect from here on, and who was connected is not. */
async function closeDatabase(admin: Postgres, database: string): Promise<void> {
  await admin.execute({ text: `ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS false` });
  await admin.query({ text: "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1" }, [database]);
}

export function postgresOn(url: string, options: Partial<PostgresOptions> = {}): Postgres {
  return createPostgres({
    url,
    poolMax: 4,
    applicationName: "headwater-test",
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    logger,
    ...options,
  });
}

/** An empty database of ClickHouse, with its tables. */
export async function freshClickHouse(): Promise<Fresh<ClickHouse>> {
  const { clickhouseUrl } = useServices();
  const url = urlOfFresh(clickhouseUrl);
  const admin = clickHouseOn(clickhouseUrl);
  await copyClickHouse(admin, url);
  const store = clickHouseOn(url.href);
  const drop = async () => {
    await store.close();
    await admin.command(`DROP DATABASE ${databaseOf(url)}`);
    await admin.close();
  };
  return { url: url.href, store, drop };
}

function clickHouseOn(url: string): ClickHouse {
  return createClickHouse({ url, requestTimeoutMs: STATEMENT_TIMEOUT_MS, logger });
}

/** A promise and the function that fulfils it: for tests that order two transactions. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** Stands in where jobs export nothing. */
export const noBulk: ClickHouseBulk = {
  run: () => Promise.reject(new Error("this test has no bulk queries")),
  read: () => {
    throw new Error("this test has no bulk queries");
  },
  close: async () => undefined,
};
