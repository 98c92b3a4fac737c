import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createApiKey, listApiKeys } from "@headwater/accounts/accounts/apiKeys";
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
async function createFormerTables(last: string): Promise<void> {
  const run = (text: string, values?: readonly string[]) => fresh.store.execute({ text }, values);
  await run(
    "CREATE TABLE schema_migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
  );
  const former = (await readdir(folder)).filter((name) => name <= `${last}~`).toSorted();
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
  await createFormerTables(BEFORE);
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

/** The last file before `admin` was a scope. */
const BEFORE_ADMIN = "079";
const storeFormerKey = (id: string, scopes: string, rotates: string | null = null) =>
  fresh.store.execute(
    {
      text: `INSERT INTO intake.api_keys (id, account, hash, prefix, name, scopes, rotates)
        VALUES ($1, 1, $1, 'hw_', 'n', $2::text[], $3)`,
    },
    [id, scopes, rotates],
  );
const storedScopes = async () => {
  const keys = await listApiKeys(fresh.store, 1);
  return Object.fromEntries(keys.map(({ id, scopes }) => [id, scopes.toSorted()]));
};
const READ = ["accountmonitorexport:read", "apikeys:read", "read"];
const WRITE = ["account:write", "apikeys:write", "transports:write", "webhooks:write", "write"];

test("keys of before the scope admin keep what they could do, also those that earlier processes still store", async () => {
  await createFormerTables(BEFORE_ADMIN);
  await fresh.store.execute({
    text: "INSERT INTO intake.accounts (id, name, settings) VALUES ('a', 'shop', '{}')",
  });
  await storeFormerKey("reads", "{read}");
  await storeFormerKey("both", "{intake,read,write,apikeys:write}");
  await storeFormerKey("narrow", "{orders:read}");
  await migratePostgres({ url: fresh.url, logger });
  const before = { reads: READ, both: [...READ, ...WRITE, "intake"].toSorted(), narrow: ["orders:read"] };
  expect(await storedScopes()).toEqual(before);

  const key = { account: 1, prefix: "hw_", name: "n" };
  await createApiKey(fresh.store, { ...key, id: "new", hash: "new", scopes: ["read"] });
  await storeFormerKey("late", "{write}");
  await storeFormerKey("rotated", "{read}", "new");
  await storeFormerKey("wider", "{read,intake}", "new");
  expect(await storedScopes()).toEqual({
    ...before,
    new: ["read"],
    late: WRITE,
    rotated: ["read"],
    wider: [...READ, "intake"].toSorted(),
  });
  expect(Object.values(await storedScopes()).flat()).not.toContain("admin");
});
