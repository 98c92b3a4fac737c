import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { migrateClickHouse } from "@headwater/clickhouse/migrate";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FormerDatabase, openFormerDatabase } from "./formerDatabase.ts";
import { logger } from "./fresh.ts";

/** The last file before the tables were made again. */
const BEFORE = "015";
const AT = "2026-01-09 22:47:12.";
/** The version of a write at that moment. */
const VERSION = `${Date.UTC(2026, 0, 9, 22, 47, 12).toString(16).padStart(11, "0")}${"0".repeat(21)}`;

let database: FormerDatabase;
let url: string;
let store: ClickHouse;

beforeEach(async () => {
  database = await openFormerDatabase();
  ({ url, store } = database);
});

afterEach(() => database.drop());

/** The tables as they were, with rows in parts that no merge joins. */
async function createFormerTables(): Promise<void> {
  await database.runFiles(BEFORE);
  for (const table of ["activities", "orders_history"])
    await store.command(`ALTER TABLE ${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`);
}

const copy = (record: string, ms: string, partition: number) =>
  store.command(`INSERT INTO activities (account, contact, action, time, ingested, uid, record, partition)
    VALUES (1, 7, 'open', '${AT}000', '${AT}${ms}', 'u', '${record}', ${partition})`);
const order = (table: string, status: string, revision?: number) =>
  store.command(`INSERT INTO ${table} (account, order_id, contact, status, version${revision === undefined ? "" : ", revision"})
    VALUES (1, 'o', 7, '${status}', '${VERSION}'${revision === undefined ? "" : `, ${revision}`})`);
const ask = <Row>(sql: string) => store.query<Row>(sql);

test("rows of before are there after the upgrade, and the first copy and the last revision of each stay", async () => {
  await createFormerTables();
  await copy("first", "100", 3);
  await copy("repeat", "200", 2);
  await order("orders_history", "late");
  await order("orders_history", "early");
  await order("orders_current", "late", 9);
  expect(await migrateClickHouse({ url, logger })).toContain("017_activities_first_copy");
  expect(await ask("SELECT record FROM activities FINAL")).toEqual([{ record: "first" }]);
  await copy("another", "150", 1);
  for (const table of ["activities", "orders_history"]) await store.command(`OPTIMIZE TABLE ${table} FINAL`);
  expect(await ask("SELECT record FROM activities")).toEqual([{ record: "first" }]);
  expect(await ask("SELECT status, revision, toString(at) AS at FROM orders_history")).toEqual([
    { status: "late", revision: 9, at: `${AT}000` },
  ]);
  expect(
    await ask("SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE '%\\_by\\_%'"),
  ).toEqual([]);
});

test("a migration that was broken off anywhere is run again from the beginning of its file", async () => {
  await createFormerTables();
  await copy("first", "100", 3);
  await copy("repeat", "200", 2);
  await migrateClickHouse({ url, logger });
  // The book-keeping of the last two is lost, as when the process ends right before it.
  await store.command("ALTER TABLE schema_migrations DELETE WHERE name >= '016' SETTINGS mutations_sync = 2");
  await migrateClickHouse({ url, logger });
  const engines = await ask<{ name: string; engine_full: string }>(
    "SELECT name, engine_full FROM system.tables WHERE database = currentDatabase() AND name IN ('activities', 'orders_history') ORDER BY name",
  );
  expect(engines.map(({ engine_full }) => /^\w+\(\w+\)/.exec(engine_full)?.[0])).toEqual([
    "ReplacingMergeTree(seniority)",
    "ReplacingMergeTree(revision)",
  ]);
  expect(await ask("SELECT record FROM activities FINAL")).toEqual([{ record: "first" }]);
});
