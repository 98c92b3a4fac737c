import { createLogger } from "@headwater/kernel";
import { type ClickHouse, type ClickHouseBulk, createClickHouse } from "@headwater/stores/clickhouse";
import { createPostgres, type Postgres, type PostgresOptions } from "@headwater/stores/postgres";
import { useServices } from "@headwater/testing";
import { copyClickHouse, copyPostgres, databaseOf, urlOfFresh } from "./templates.ts";

export const logger = createLogger({ name: "stores-test", level: "silent" });
const STATEMENT_TIMEOUT_MS = 20_000;

export interface Fresh<Store> {
  readonly url: string;
  readonly store: Store;
  drop(): Promise<void>;
}

/** An empty database of Postgres; `migrated` false leaves it without tables. */
export async function freshPostgres(migrated = true, options: Partial<PostgresOptions> = {}): Promise<Fresh<Postgres>> {
  const { postgresUrl } = useServices();
  const url = urlOfFresh(postgresUrl);
  const admin = postgresOn(postgresUrl);
  if (migrated) await copyPostgres(admin, url);
  else await admin.execute({ text: `CREATE DATABASE ${databaseOf(url)}` });
  const store = postgresOn(url.href, options);
  const drop = async () => {
    await store.close();
    await admin.execute({ text: `DROP DATABASE ${databaseOf(url)} WITH (FORCE)` });
    await admin.close();
  };
  return { url: url.href, store, drop };
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
