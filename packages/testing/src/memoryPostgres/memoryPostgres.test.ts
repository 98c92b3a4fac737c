import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresContract } from "../postgresContract.ts";
import { type MemoryPostgres, startMemoryPostgres } from "./memoryPostgres.ts";

let memory: MemoryPostgres;
beforeAll(async () => {
  memory = await startMemoryPostgres();
});
afterAll(() => memory.stop());

describe("Postgres in memory keeps the contract of a server", () => {
  test.each(postgresContract)("%s", (_promise, check) => check(memory.postgres));
});

test("a database in memory has all tables and no rows", async () => {
  const text =
    "SELECT (SELECT count(*)::int FROM schema_migrations) AS migrations, (SELECT count(*)::int FROM contacts) AS contacts";
  const [row] = await memory.postgres.query<{ migrations: number; contacts: number }>({ text });
  expect(row?.migrations).toBeGreaterThan(40);
  expect(row?.contacts).toBe(0);
});
