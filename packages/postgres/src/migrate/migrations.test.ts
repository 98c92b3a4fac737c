import { expect, test } from "vitest";
import { checksumOf, missingMigrations, readMigrations } from "./migrations.ts";

const migrations = ["001_a", "002_b"].map((name) => ({ name, sql: `SELECT '${name}'` }));
const applied = migrations.map(({ name, sql }) => ({ name, checksum: checksumOf(sql) }));

test("only what was not applied is missing", () => {
  expect(missingMigrations(migrations, applied.slice(0, 1)).map(({ name }) => name)).toEqual(["002_b"]);
  expect(missingMigrations(migrations, applied)).toEqual([]);
});

test("a changed migration and an unknown one stop everything", () => {
  expect(() => missingMigrations(migrations, [{ name: "001_a", checksum: "x" }])).toThrow("was changed after");
  expect(() => missingMigrations(migrations, [{ name: "009_z", checksum: "x" }])).toThrow("does not know");
});

test.each(["../migrations/", "../../../clickhouse/src/migrations/"])(
  "the files of %s are numbered without a gap",
  async (folder) => {
    const names = (await readMigrations(new URL(folder, import.meta.url))).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    for (const [index, name] of names.entries()) expect(Number(name.slice(0, 3))).toBe(index + 1);
  },
);
