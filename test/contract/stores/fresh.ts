import { randomBytes } from "node:crypto";
import { createLogger } from "@headwater/kernel";
import {
  type ClickHouse,
  type ClickHouseBulk,
  createClickHouse,
  migrateClickHouse,
} from "@headwater/stores/clickhouse";
import { createPostgres, migratePostgres, type Postgres, type PostgresOptions } from "@headwater/stores/postgres";
import { useServices } from "@headwater/testing";

export const logger = createLogger({ name: "stores-test", level: "silent" });
const STATEMENT_TIMEOUT_MS = 20_000;

/** The address of a database that no other test uses. */
function urlOfFresh(url: string): URL {
  const fresh = new URL(url);
  fresh.pathname = `/stores_${randomBytes(6).toString("hex")}`;
  return fresh;
}

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
  await admin.execute({ text: `CREATE DATABASE ${url.pathname.slice(1)}` });
  if (migrated) await migratePostgres({ url: url.href, logger });
  const store = postgresOn(url.href, options);
  const drop = async () => {
    await store.close();
    await admin.execute({ text: `DROP DATABASE ${url.pathname.slice(1)} WITH (FORCE)` });
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
  const url = urlOfFresh(useServices().clickhouseUrl).href;
  await migrateClickHouse({ url, logger });
  const store = createClickHouse({ url, requestTimeoutMs: STATEMENT_TIMEOUT_MS, logger });
  const drop = async () => {
    await store.command(`DROP DATABASE ${new URL(url).pathname.slice(1)}`);
    await store.close();
  };
  return { url, store, drop };
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
