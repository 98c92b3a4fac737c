import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { type ClickHouse, createClickHouse, migrateClickHouse } from "@headwater/stores/clickhouse";
import { useServices } from "@headwater/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { logger } from "./fresh.ts";

/** The last file before the tables were made anew. */
const BEFORE = "015";
const folder = new URL("../../../packages/stores/src/clickhouse/migrations/", import.meta.url);
const AT = "2026-01-09 22:47:12.";
/** The version of a write at that moment. */
const VERSION = `${Date.UTC(2026, 0, 9, 22, 47, 12).toString(16).padStart(11, "0")}${"0".repeat(21)}`;

let url: string;
let store: ClickHouse;

beforeEach(async () => {
  const fresh = new URL(useServices().clickhouseUrl);
  const database = `upgrade_${randomBytes(6).toString("hex")}`;
  const admin = createClickHouse({ url: fresh.href, requestTimeoutMs: 20_000, logger });
  await admin.command(`CREATE DATABASE ${database}`);
  await admin.close();
  fresh.pathname = `/${database}`;
  url = fresh.href;
  store = createClickHouse({ url, requestTimeoutMs: 20_000, logger });
});

afterEach(async () => {
  await store.command(`DROP DATABASE ${new URL(url).pathname.slice(1)}`);
  await store.close();
});

/** The tables as they were, with rows in parts that no merge joins. */
async function makeFormerTables(): Promise<void> {
  const former = (await readdir(folder)).filter((name) => name <= `${BEFORE}~`).toSorted();
  for (const sql of await Promise.all(former.map((name) => readFile(new URL(name, folder), "utf8"))))
    for (const one of sql.split(/;[ \t]*$/m)) if (one.trim() !== "") await store.command(one);
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
  await makeFormerTables();
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
  await makeFormerTables();
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
