import { readMigrations } from "@headwater/postgres/migrate/migrations";
import { expect, test } from "vitest";
import { RowBinary } from "../rowBinary.ts";
import { enum8, nullable, string, uInt8 } from "./columns.ts";
import { defineTable } from "./defineTable.ts";
import { clickHouseTables } from "./index.ts";

const CREATED = /^CREATE TABLE IF NOT EXISTS (\w+)/gm;
const DROPPED = /^DROP TABLE IF EXISTS (\w+)/gm;

async function migratedTables(): Promise<Set<string>> {
  const tables = new Set<string>();
  for (const { sql } of await readMigrations(new URL("../migrations/", import.meta.url))) {
    for (const [, name = ""] of sql.matchAll(CREATED)) tables.add(name);
    for (const [, name = ""] of sql.matchAll(DROPPED)) tables.delete(name);
  }
  return tables;
}

test("each table that the migrations make is defined in this folder, and no other", async () => {
  const migrated = await migratedTables();
  expect(migrated.size).toBeGreaterThanOrEqual(13);
  const defined = new Set(clickHouseTables.map(({ name }) => name));
  const hint = "define it in packages/clickhouse/src/tables and list it in allTables.ts";
  expect([...migrated.difference(defined)], `tables without a definition: ${hint}`).toEqual([]);
  expect([...defined.difference(migrated)], "definitions of tables that no migration makes").toEqual([]);
});

const planted = defineTable({
  name: "planted",
  columns: { b: uInt8, a: nullable(string), k: enum8({ no: 0, yes: 1 }) },
  computed: { sum: "UInt64" },
});

test("a row is written by the names of its values, in the order of the columns", () => {
  const rows = new RowBinary(1);
  planted.write(rows, { k: "yes", a: "x", b: 7 });
  planted.write(rows, { a: null, b: 8, k: "no" });
  expect(planted.columns).toEqual(["b", "a", "k"]);
  expect([...rows.body()]).toEqual([7, 0, 1, "x".charCodeAt(0), 1, 8, 1, 0]);
});

test("a definition names the types of all columns, those that the server computes included", () => {
  expect(planted.types).toEqual({
    b: "UInt8",
    a: "Nullable(String)",
    k: "Enum8('no' = 0, 'yes' = 1)",
    sum: "UInt64",
  });
});

test("a column whose name is no identifier cannot be defined", () => {
  expect(() => defineTable({ name: "planted", columns: { "a; b": uInt8 } })).toThrow("no name of a column");
});
