import { type ClickHouse, createClickHouse } from "@headwater/clickhouse/clickhouse";
import { clickHouseFailure } from "@headwater/clickhouse/failures";
import { migrateClickHouse } from "@headwater/clickhouse/migrate";
import { RowBinary } from "@headwater/clickhouse/rowBinary";
import {
  clickHouseTables,
  decimal4,
  defineTable,
  enum8,
  flag,
  float64,
  keyword,
  moment,
  nullable,
  string,
  uInt8,
  uInt16,
  uInt32,
  uInt64,
} from "@headwater/clickhouse/tables/index";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fresh, freshClickHouse, logger } from "./fresh.ts";
import { databaseOf, urlOfFresh } from "./templates.ts";

let fresh: Fresh<ClickHouse>;
let clickHouse: ClickHouse;
beforeAll(async () => {
  fresh = await freshClickHouse();
  clickHouse = fresh.store;
});
afterAll(() => fresh.drop());

const columns = ["account", "contact", "survivor", "revision"];
const count = async (table: string) => {
  const [row] = await clickHouse.query<{ n: number }>(`SELECT count() AS n FROM ${table}`);
  return row?.n;
};

describe("a statement of ClickHouse", () => {
  const values = Array.from({ length: 3_000 }, (_, position) => `it's \\ {p1:String} \t\n ${position}`);
  const params = Object.fromEntries(values.map((value, place) => [`p${place}`, value]));
  const lists = values.map((value, place) => [`l${place}`, [value, "other"]] as const);

  it("may have any number of parameters, each with its value", async () => {
    const texts = values.map((_, place) => `{p${place}:String}`).join(", ");
    const firsts = lists.map(([name]) => `{${name}:Array(String)}[1]`).join(", ");
    const at = "toString({at:DateTime64(3, 'UTC')})";
    const sql = `SELECT [${texts}] AS texts, [${firsts}] AS firsts, {n:UInt64} + 1 AS n, ${at} AS at`;
    const all = { ...params, ...Object.fromEntries(lists), n: 7, at: "2026-01-31 00:00:00.000" };
    const [row] = await clickHouse.query<object>(sql, all);
    expect(row).toEqual({ texts: values, firsts: values, n: 8, at: "2026-01-31 00:00:00.000" });
  });

  it("may be as long as they make it when it is a command", async () => {
    const sql = `SELECT throwIf(length([${values.map((_, place) => `{p${place}:String}`).join(", ")}]) != 3000)`;
    await expect(clickHouse.command(sql, params)).resolves.toBeUndefined();
  });
});

describe("migrations of ClickHouse", () => {
  it("make the database, and change nothing the second time", async () => {
    expect(await migrateClickHouse({ url: fresh.url, logger })).toEqual([]);
    const tables = await clickHouse.query<{ name: string }>("SHOW TABLES");
    expect(tables.map(({ name }) => name)).toContain("activities");
  });

  it("make what tests get as a copy", async () => {
    const url = urlOfFresh(fresh.url);
    await migrateClickHouse({ url: url.href, logger });
    const sql =
      "SELECT replaceAll(create_table_query, database, 'here') AS q FROM system.tables WHERE database = {name:String} ORDER BY name";
    const definitionsIn = (database: URL) => clickHouse.query(sql, { name: databaseOf(database) });
    const migrated = await definitionsIn(url);
    expect(migrated.length).toBeGreaterThanOrEqual(9);
    expect(await definitionsIn(new URL(fresh.url))).toEqual(migrated);
    await clickHouse.command(`DROP DATABASE ${databaseOf(url)}`);
  });

  it("give every table of ours a window for tokens", async () => {
    const sql =
      "SELECT name, create_table_query AS q FROM system.tables WHERE database = currentDatabase() AND name != 'schema_migrations'";
    const tables = await clickHouse.query<{ name: string; q: string }>(sql);
    expect(tables.length).toBeGreaterThanOrEqual(9);
    for (const { q } of tables) expect(q).toContain("non_replicated_deduplication_window = 50000");
  });
});

describe("a block", () => {
  it("with a token that was seen is inserted once, though the server inserts asynchronously by default", async () => {
    const [setting] = await clickHouse.query<{ value: string }>(
      "SELECT value FROM system.settings WHERE name = 'async_insert'",
    );
    expect(setting?.value).toBe("1");
    const block = { table: "contact_aliases", columns, body: "[1,2,3,4]\n[1,5,6,7]\n", token: "once" };
    await clickHouse.insertBlock(block);
    await clickHouse.insertBlock(block);
    await clickHouse.insertBlock({ ...block, body: "[9,9,9,9]\n" });
    expect(await count("contact_aliases")).toBe(2);
    await clickHouse.insertBlock({ ...block, token: "other" });
    expect(await count("contact_aliases FINAL")).toBe(2);
  });

  it("is inserted twice under one token where the table has no window: what the setting is for", async () => {
    await clickHouse.command("CREATE TABLE windowless (n UInt64) ENGINE = MergeTree ORDER BY n");
    const block = { table: "windowless", columns: ["n"], body: "[1]\n", token: "once" };
    await clickHouse.insertBlock(block);
    await clickHouse.insertBlock(block);
    expect(await count("windowless")).toBe(2);
  });

  it("is one part, whatever its size", async () => {
    const rows = new RowBinary();
    const ROWS = 200_000;
    for (let n = 0; n < ROWS; n++) {
      rows.uint32(1);
      rows.int64(n);
      rows.int64(n);
      rows.int64(n);
    }
    await clickHouse.command("CREATE TABLE large AS contact_aliases");
    await clickHouse.insertBlock({ table: "large", columns, body: rows.body(), token: "large" });
    expect(await count("large")).toBe(ROWS);
    const sql =
      "SELECT max(max_block_number) AS blocks FROM system.parts WHERE database = currentDatabase() AND table = 'large'";
    expect(await clickHouse.query(sql)).toEqual([{ blocks: 1 }]);
  });

  it("with one bad row leaves nothing behind, and its token is free", async () => {
    const block = { table: "bad", columns, token: "bad" };
    await clickHouse.command("CREATE TABLE bad AS contact_aliases");
    const failed = clickHouse.insertBlock({ ...block, body: '[1,2,3,4]\n["x",5,6,7]\n' });
    expect(await failed.then(() => "none", clickHouseFailure)).toBe("other");
    expect(await count("bad")).toBe(0);
    await clickHouse.insertBlock({ ...block, body: "[1,2,3,4]\n" });
    expect(await count("bad")).toBe(1);
  });
});

describe("definitions of tables", () => {
  it("have the columns, types and computed columns that the migrations made", async () => {
    const sql = `SELECT table, name, type, default_kind AS kind FROM system.columns
      WHERE database = currentDatabase() AND table IN {tables: Array(String)} ORDER BY table, name`;
    const params = { tables: clickHouseTables.map(({ name }) => name) };
    const stored = await clickHouse.query<{ table: string; name: string; type: string; kind: string }>(sql, params);
    const defined = clickHouseTables.flatMap(({ name: table, columns, types }) =>
      Object.entries(types).map(([name, type]) => {
        return { table, name, type, kind: columns.includes(name) ? "" : "MATERIALIZED" };
      }),
    );
    const inOrder = (one: { table: string; name: string }, other: { table: string; name: string }) =>
      `${one.table}.${one.name}` < `${other.table}.${other.name}` ? -1 : 1;
    expect(stored.sort(inOrder)).toEqual(defined.sort(inOrder));
  });

  it("write every type so that ClickHouse reads the same, whatever the order of the columns", async () => {
    const types = defineTable({
      name: "types",
      columns: {
        s: string,
        a: uInt8,
        b: uInt16,
        c: uInt32,
        d: uInt64,
        t: moment,
        f: float64,
        g: nullable(float64),
        x: nullable(decimal4),
        y: decimal4,
        l: keyword,
        k: enum8({ no: 0, yes: 1 }),
        w: flag,
      },
    });
    const columns = Object.entries(types.types).map(([name, type]) => `${name} ${type}`);
    await clickHouse.command(`CREATE TABLE types (${columns.sort().join(", ")}) ENGINE = MergeTree ORDER BY d`);
    const texts = ["", "a", "ü🙂\u0000\n", "x".repeat(42), "y".repeat(43), "ß".repeat(300), "z".repeat(70_000)];
    const rows = new RowBinary(8);
    const row = { a: 255, b: 65_535, c: 4_294_967_295, f: -0.1, y: -5n, l: "low", k: "yes", w: true } as const;
    for (const [index, s] of texts.entries()) {
      const t = index === 0 ? -1 : 1_700_000_000_123;
      const nothing = { g: null, x: null };
      const some = { g: 1e300, x: -12_345_678_901_234n };
      types.write(rows, { ...row, ...(index === 0 ? nothing : some), s, t, d: 2 ** 53 - 1 - index });
    }
    await clickHouse.insertBlock({ table: "types", columns: types.columns, body: rows.body(), token: "types" });
    const sql = "SELECT a, b, c, d, toUnixTimestamp64Milli(t) AS t, f, g, x, y, s, l, k, w FROM types ORDER BY d DESC";
    const stored = await clickHouse.query<{ s: string }>(sql);
    expect(stored.map(({ s }) => s)).toEqual(texts);
    const same = { ...row, y: "-0.0005", w: 1 };
    expect(stored[0]).toEqual({ ...same, d: 2 ** 53 - 1, t: -1, g: null, x: null, s: "" });
    expect(stored[1]).toMatchObject({ ...same, d: 2 ** 53 - 2, t: 1_700_000_000_123, g: 1e300, x: "-1234567890.1234" });
  });
});

describe("failures of ClickHouse", () => {
  const failureOf = (promise: Promise<unknown>) => promise.then(() => "none", clickHouseFailure);

  it("distinguish an outage from an error", async () => {
    const nobody = createClickHouse({ url: "http://127.0.0.1:1/x", requestTimeoutMs: 1000, logger });
    expect(await failureOf(nobody.ping())).toBe("unavailable");
    await expect(nobody.query("SELECT 1")).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      status: 503,
      retriable: true,
    });
    await nobody.close();
    expect(await failureOf(clickHouse.query("SELECT nonsense"))).toBe("other");
    const parameters = clickHouse.query<{ s: string }>("SELECT {s: String} AS s", { s: "'; DROP TABLE x" });
    expect(await parameters).toEqual([{ s: "'; DROP TABLE x" }]);
  });

  it("a query past its time or memory is a limit", async () => {
    const slow = "SELECT sleepEachRow(1) FROM numbers(60) SETTINGS max_block_size = 1";
    expect(await failureOf(clickHouse.query(slow, {}, { settings: { max_execution_time: 1 } }))).toBe("limit");
    const greedy = clickHouse.query(
      "SELECT groupArray(number) FROM numbers(10000000)",
      {},
      { settings: { max_memory_usage: "1000000" } },
    );
    expect(await failureOf(greedy)).toBe("limit");
  });
});
