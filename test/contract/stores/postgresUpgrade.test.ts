import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setAudiencesUsedBy, usersOfAudience } from "@headwater/audiences/audiences/audienceUses";
import { audiences } from "@headwater/audiences/audiences/postgres";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { migratePostgres } from "@headwater/postgres/migrate/migrate";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Fresh, freshPostgres, logger } from "./fresh.ts";

/** The last file before audiences were saved. */
const BEFORE = "036";
const folder = new URL("../../../packages/postgres/src/migrations/", import.meta.url);
const AT = Date.UTC(2026, 0, 9);

let fresh: Fresh<Postgres>;
beforeEach(async () => {
  fresh = await freshPostgres(false);
});
afterEach(() => fresh.drop());

/** The tables as an installation of before has them, with the books of its migrations. */
async function createFormerTables(): Promise<void> {
  const run = (text: string, values?: readonly string[]) => fresh.store.execute({ text }, values);
  await run(
    "CREATE TABLE schema_migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
  );
  const former = (await readdir(folder)).filter((name) => name <= `${BEFORE}~`).toSorted();
  for (const name of former) {
    const sql = await readFile(new URL(name, folder), "utf8");
    await run(sql);
    await run("INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)", [
      name.replace(/\.sql$/, ""),
      hash("sha256", sql, "hex"),
    ]);
  }
}

test("an installation of before saved audiences keeps its rows, and saves audiences and their uses from then on", async () => {
  await createFormerTables();
  const list =
    "INSERT INTO lists (account, id, name, name_key, display_name, created_at) VALUES (1, 5, 'VIP', 'vip', 'VIP', $1)";
  await fresh.store.execute({ text: list }, [AT]);
  const applied = await migratePostgres({ url: fresh.url, logger });
  expect(applied[0]).toBe("037_audiences");
  expect(await migratePostgres({ url: fresh.url, logger })).toEqual([]);
  expect(await fresh.store.query({ text: "SELECT id, name FROM lists" })).toEqual([{ id: 5, name: "VIP" }]);
  const members = {
    name: "VIPs",
    description: null,
    tags: null,
    criteria: '{"list":"vip","op":"in"}',
    lists: '{"vip":5}',
    ...{ lastCount: null, lastCountAsOf: null, countedAt: null },
  };
  const [one, other] = ["65f0c0ffee65f0c0ffee0001", "65f0c0ffee65f0c0ffee0002"] as const;
  await fresh.store.transaction(async (transaction) => {
    for (const [key, id] of [
      ["vips", one],
      ["others", other],
    ] as const) {
      expect(await audiences.insert(transaction, { account: 1, key }, { id, ...members }, AT)).toMatchObject({
        id,
        key,
      });
    }
    await setAudiencesUsedBy(transaction, { account: 1, kind: "audience", userId: other }, [one]);
  });
  expect(await audiences.read(fresh.store, { account: 1, key: "vips" })).toMatchObject({
    id: one,
    criteria: members.criteria,
    lastCount: null,
  });
  const users = await fresh.store.transaction((transaction) =>
    usersOfAudience(transaction, { account: 1, id: one }, 9),
  );
  expect(users).toEqual([{ kind: "audience", userId: "others" }]);
});
