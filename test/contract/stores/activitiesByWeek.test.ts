import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { migrateClickHouse } from "@headwater/clickhouse/migrate";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FormerDatabase, openFormerDatabase } from "./formerDatabase.ts";
import { logger } from "./fresh.ts";

const NAME = "021_activities_by_week";
const AT = "2026-01-09 22:47:12.";
const ROWS = `SELECT *, seniority, message, message_period, message_type FROM activities FINAL ORDER BY action, contact, time, uid`;

let database: FormerDatabase;
let store: ClickHouse;
let createFormer: string;

beforeEach(async () => {
  database = await openFormerDatabase();
  store = database.store;
  await database.runFiles("020");
  createFormer = await createQuery();
  await migrateClickHouse({ url: database.url, logger });
});

afterEach(() => database.drop());

async function createQuery(): Promise<string> {
  const [row] = await store.query<{ sql: string }>(
    "SELECT create_table_query AS sql FROM system.tables WHERE database = currentDatabase() AND name = 'activities'",
  );
  return row?.sql ?? "";
}

/** Three parts that no merge joins, with a repeat of an activity in each of two. */
async function createFormerTable(): Promise<void> {
  await store.command("DROP TABLE activities SYNC");
  await store.command(createFormer);
  await store.command("ALTER TABLE activities MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1");
  await store.command(`ALTER TABLE schema_migrations DELETE WHERE name = '${NAME}' SETTINGS mutations_sync = 2`);
  for (const [ms, partition] of [
    [100, 3],
    [200, 2],
    [150, 1],
  ] as const)
    await insert(ms, partition);
}

const insert = (ms: number, partition: number) =>
  store.command(`INSERT INTO activities (account, contact, action, time, ingested, uid, record, mc_id, partition, log_offset)
    SELECT 1, 7 + number, ['open', 'click'][1 + number % 2], toDateTime64('${AT}000', 3, 'UTC') - toIntervalDay(number % 400),
      '${AT}${ms}', concat('u', toString(intDiv(number, ${partition}))), concat('r${ms}-', toString(number)), 'a:m1:d260131:b:c:n', ${partition}, number
    FROM numbers(100)`);

/** Passes calls on, and loses the answer to the `breaksAt`-th that changes something. `before` is called ahead of each. */
async function openProxy(breaksAt: number, before: (sql: string) => Promise<unknown> = async () => undefined) {
  const target = new URL(database.url);
  let changes = 0;
  const server: Server = createServer(async (incoming, outgoing) => {
    const sql = await text(incoming);
    const isChange = !/^(--.*\n|\s)*SELECT/.test(sql);
    if (isChange) await before(sql);
    const { method, headers, url: path } = incoming;
    const call = request({ hostname: target.hostname, port: target.port, method, headers, path }, async (answer) => {
      const body = await text(answer);
      if (isChange && ++changes === breaksAt) return outgoing.destroy();
      return outgoing.writeHead(answer.statusCode ?? 500, { "content-type": "application/json" }).end(body);
    });
    call.end(sql);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = new URL(database.url);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, changes: () => changes, close: () => server.close() };
}

async function expectNewLayout(rows: readonly unknown[]): Promise<void> {
  expect(await store.query(ROWS)).toEqual(rows);
  const [table] = await store.query<{ key: string }>(
    "SELECT sorting_key AS key FROM system.tables WHERE database = currentDatabase() AND name = 'activities'",
  );
  expect(table?.key).toBe("account, action, toYearWeek(time, 3), contact, toUnixTimestamp64Milli(time), uid");
  expect(
    await store.query(
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'activities\\_%'",
    ),
  ).toEqual([]);
}

/** MIGRATION_STEPS=all breaks the copy off after each step; a short run after each third one, from one that is drawn. */
const isWhole = process.env.MIGRATION_STEPS === "all";
const STRIDE = isWhole ? 1 : 3;
const FIRST_STEP = isWhole ? 1 : 1 + Math.floor(Math.random() * STRIDE);

test(`a copy that was broken off after any of its steps goes on, and holds the same rows (from step ${FIRST_STEP})`, {
  timeout: 240_000,
}, async () => {
  let steps = Number.POSITIVE_INFINITY;
  let broken = 0;
  let copies = 0;
  for (let breaksAt = FIRST_STEP; breaksAt <= steps; breaksAt += STRIDE) {
    copies += 1;
    await createFormerTable();
    const rows = await store.query(ROWS);
    expect(rows.length).toBeGreaterThan(150);
    const proxy = await openProxy(breaksAt);
    await migrateClickHouse({ url: proxy.url, logger }).catch(() => broken++);
    if (proxy.changes() < breaksAt) steps = breaksAt;
    proxy.close();
    await migrateClickHouse({ url: database.url, logger });
    await expectNewLayout(rows);
  }
  // The last copy came to its end.
  expect(broken).toBe(copies - 1);
  expect(broken * STRIDE).toBeGreaterThan(15 - STRIDE);
});

test("rows that come or go while they are copied stop it, and it begins again with them", async () => {
  for (const change of [
    () => insert(400, 1),
    () => store.command("DELETE FROM activities WHERE account = 1 AND contact = 7"),
  ]) {
    await createFormerTable();
    let isChanged = false;
    const proxy = await openProxy(0, async (sql) => {
      if (isChanged || !sql.includes("INSERT INTO activities_by_week")) return;
      isChanged = true;
      await change();
    });
    await expect(migrateClickHouse({ url: proxy.url, logger })).rejects.toThrow();
    proxy.close();
    const rows = await store.query(ROWS);
    await migrateClickHouse({ url: database.url, logger });
    await expectNewLayout(rows);
  }
});

test("a part of more than a million rows is copied in steps, each row once", { timeout: 120_000 }, async () => {
  await createFormerTable();
  await store.command(`INSERT INTO activities (account, contact, action, time, ingested, uid)
    SELECT 2, number % 1000, 'open', toDateTime64('${AT}000', 3, 'UTC') - toIntervalMinute(number), now64(3), toString(number)
    FROM numbers(1000500) SETTINGS max_block_size = 2000000, min_insert_block_size_rows = 2000000, max_insert_block_size = 2000000`);
  const sum =
    "SELECT count() AS count, toString(sum(cityHash64(contact, time, uid, seniority))) AS sum FROM activities WHERE account = 2";
  const before = await store.query(sum);
  const copies: string[] = [];
  const proxy = await openProxy(0, async (sql) =>
    copies.push(...(sql.match(/^INSERT INTO activities_by_week/gm) ?? [])),
  );
  await migrateClickHouse({ url: proxy.url, logger });
  proxy.close();
  expect(copies).toHaveLength(5);
  expect(await store.query(sum)).toEqual(before);
});
