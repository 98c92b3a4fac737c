import { createAccount } from "@headwater/accounts/accounts/accounts";
import { defaultSettings } from "@headwater/contracts";
import { createStoredCounts } from "@headwater/intake/accounting/logCounts";
import { upsertRejects } from "@headwater/intake/deadLetters/rejects";
import { createStoredParked } from "@headwater/intake/parked/parkedRecords";
import { createStoredProducts } from "@headwater/intake/products/productStore";
import { createStoredOutbox } from "@headwater/intake/relay/outbox";
import { createPostgresStateStore } from "@headwater/intake/state/postgresStateStore";
import { systemClock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import {
  logCountsContract,
  outboxContract,
  parkedContract,
  productStoreContract,
  stateStoreContract,
} from "@headwater/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "../../stores/fresh.ts";

let fresh: Fresh<Postgres>;
beforeEach(async () => {
  fresh = await freshPostgres();
});
afterEach(() => fresh.drop());

/** Refused records of the ids, as texts of what is asked for, in the order of their ids. */
async function rejects(what: string, recordIds: readonly string[]): Promise<readonly string[]> {
  const text = `SELECT ${what} AS text FROM rejects WHERE record_id = ANY($1::text[]) ORDER BY record_id`;
  const rows = await fresh.store.query<{ text: string }>({ text }, [`{${recordIds.join(",")}}`]);
  return rows.map((row) => row.text);
}

/** Rows that wait for the oldest transaction of the whole server, which other tests share. */
async function waitingRows(): Promise<number | undefined> {
  const text = "SELECT count(*) AS rows FROM outbox WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())";
  const [row] = await fresh.store.query<{ rows: number }>({ text });
  return row?.rows;
}

describe("the outbox in Postgres keeps the contract of the one in memory", () => {
  test.each(outboxContract)("%s", (_promise, check) =>
    check({
      outbox: createStoredOutbox(fresh.store),
      async append(rows) {
        await fresh.store.transaction((transaction) => appendOutbox(transaction, rows));
        await expect.poll(waitingRows, { timeout: 20_000 }).toBe(0);
      },
      lettersOf: (recordIds) => rejects("record_id", recordIds),
    }),
  );
});

describe("parked records in Postgres keep the contract of those in memory", () => {
  test.each(parkedContract)("%s", (_promise, check) =>
    check({
      parked: createStoredParked(fresh.store),
      put: (rows) => fresh.store.transaction((transaction) => upsertRejects(transaction, rows)),
      statusesOf: (recordIds) => rejects("status || ' ' || code", recordIds),
    }),
  );
});

describe("counts of the log in Postgres keep the contract of those in memory", () => {
  test.each(logCountsContract)("%s", (_promise, check) =>
    check({
      counts: createStoredCounts(fresh.store),
      async kept() {
        const text = `SELECT first_offset AS "firstOffset" FROM log_batches ORDER BY first_offset`;
        return (await fresh.store.query<{ firstOffset: number }>({ text })).map(({ firstOffset }) => firstOffset);
      },
    }),
  );
});

describe("products in Postgres keep the contract of those in memory", () => {
  test.each(productStoreContract)("%s", (_promise, check) =>
    check({
      store: createStoredProducts(fresh.store),
      async stored() {
        const text = "SELECT product_id AS id, doc::text AS doc FROM products WHERE account = 1 ORDER BY product_id";
        return (await fresh.store.query<{ id: string; doc: string }>({ text })).map(
          ({ id, doc }) => [id, doc] as const,
        );
      },
    }),
  );
});

describe("the state in Postgres keeps the contract of the one in memory", () => {
  test.each(stateStoreContract)("%s", async (_promise, check) => {
    const account = await createAccount(fresh.store, { id: "a".repeat(24), name: "test", settings: defaultSettings });
    await check({ store: createPostgresStateStore(fresh.store, systemClock), account });
  });
});
