import { readMigrations } from "@headwater/postgres/migrate/migrations";
import { expect, test } from "vitest";
import { conditionOf, onCluster, statementsOf, stepsOf } from "./cluster.ts";

test("a table of a cluster is made on all its servers and replicated, with the replicated window for tokens", () => {
  const sql = `-- why
CREATE TABLE IF NOT EXISTS things (
  a UInt8
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY a
SETTINGS non_replicated_deduplication_window = 50000
`;
  expect(onCluster(sql, "main")).toBe(`-- why
CREATE TABLE IF NOT EXISTS things ON CLUSTER 'main' (
  a UInt8
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', revision)
ORDER BY a
SETTINGS replicated_deduplication_window = 50000
`);
});

test("every migration has a form for clusters", async () => {
  const migrations = await readMigrations(new URL("./migrations/", import.meta.url));
  expect(migrations.length).toBeGreaterThanOrEqual(9);
  for (const { sql } of migrations) {
    const statements = statementsOf(sql);
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) {
      const clustered = onCluster(statement, "main");
      expect(clustered).toMatch(/ON CLUSTER 'main'|^INSERT INTO /m);
      expect(clustered).toMatch(/^(ENGINE = ReplicatedReplacingMergeTree\('|ALTER|EXCHANGE|DROP TABLE |INSERT INTO )/m);
      expect(clustered).not.toContain("non_replicated");
    }
  }
});

test("a table of a cluster is altered on all its servers", () => {
  expect(statementsOf("-- why; so\nALTER TABLE a ADD COLUMN b UInt8;\nALTER TABLE c\n  DROP COLUMN d;\n")).toEqual([
    "-- why; so\nALTER TABLE a ADD COLUMN b UInt8",
    "ALTER TABLE c\n  DROP COLUMN d",
  ]);
  expect(onCluster("ALTER TABLE a ADD COLUMN b UInt8", "main")).toBe(
    "ALTER TABLE a ON CLUSTER 'main' ADD COLUMN b UInt8",
  );
});

test("names that are no names of a cluster, and texts that are no tables, are refused", () => {
  expect(() => onCluster("CREATE TABLE IF NOT EXISTS a (", "x'; DROP")).toThrow("no name of a cluster");
  expect(() => onCluster("DROP TABLE a", "main")).toThrow("alters, exchanges, drops or fills");
});

test("tables change places and go on all servers, and rows are inserted on one", () => {
  expect(onCluster("EXCHANGE TABLES a AND b", "main")).toBe("EXCHANGE TABLES a AND b ON CLUSTER 'main' ");
  expect(onCluster("DROP TABLE IF EXISTS a SETTINGS max_table_size_to_drop = 0", "main")).toBe(
    "DROP TABLE IF EXISTS a ON CLUSTER 'main' SETTINGS max_table_size_to_drop = 0",
  );
  expect(onCluster("INSERT INTO a (b)\nSELECT b FROM c", "main")).toBe("INSERT INTO a (b)\nSELECT b FROM c");
});

test("a statement says above itself when it is to run", () => {
  const [plain, conditional] = statementsOf(
    "-- why\nDROP TABLE IF EXISTS a;\n-- when: SELECT 1 = 0\nEXCHANGE TABLES a AND b;",
  );
  expect([plain, conditional].map((sql) => conditionOf(sql ?? ""))).toEqual([undefined, "SELECT 1 = 0"]);
});

test("a statement of steps says above itself which is next and what makes one done", () => {
  const [plain, stepped] = statementsOf(
    "DROP TABLE IF EXISTS a;\n-- each: SELECT 1 AS n\n-- done: INSERT INTO b (n) SELECT {n: UInt8}\nINSERT INTO a (n)\nSELECT {n: UInt8};",
  );
  expect([plain, stepped].map((sql) => stepsOf(sql ?? ""))).toEqual([
    undefined,
    { next: "SELECT 1 AS n", done: "INSERT INTO b (n) SELECT {n: UInt8}" },
  ]);
  expect(() => stepsOf("-- each: SELECT 1 AS n\nINSERT INTO a (n)\nSELECT 1")).toThrow("`-- each:` and `-- done:`");
});
