import { createAccount, findAccount, updateAccount } from "@headwater/accounts/accounts/accounts";
import { createApiKey, findApiKey, revokeApiKey } from "@headwater/accounts/accounts/apiKeys";
import { defaultSettings } from "@headwater/contracts";
import { postgresFailure } from "@headwater/postgres/connection/failures";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { createIdempotencyStore, createLeaseStore } from "@headwater/postgres/idempotency/idempotency";
import { ensureAttributes, loadAttributes } from "@headwater/records/attributes/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fresh, freshPostgres, logger } from "./fresh.ts";

let fresh: Fresh<Postgres>;
let postgres: Postgres;
beforeAll(async () => {
  fresh = await freshPostgres();
  postgres = fresh.store;
});
afterAll(() => fresh.drop());

describe("accounts and keys", () => {
  it("a key finds its account and settings by its hash, also when it was revoked", async () => {
    const account = await createAccount(postgres, { id: "a".repeat(24), name: "Shop", settings: defaultSettings });
    const created = {
      id: "k1",
      account: account.number,
      hash: "h".repeat(64),
      prefix: "hw_abc",
      name: "first",
      scopes: ["write", 'a"b'],
    };
    await createApiKey(postgres, created);
    const settings = { ...defaultSettings, timezone: "Europe/Berlin" };
    await updateAccount(postgres, account.id, { name: "Shop 2", settings });
    const found = await findApiKey(postgres, created.hash);
    expect(found?.account).toEqual({ number: account.number, id: account.id, name: "Shop 2", settings });
    expect(found?.key).toMatchObject({ id: "k1", scopes: ["write", 'a"b'], revokedAt: null, expiresAt: null });
    expect([
      await revokeApiKey(postgres, account.number, "k1"),
      await revokeApiKey(postgres, account.number, "k1"),
    ]).toEqual([created.hash, undefined]);
    expect((await findApiKey(postgres, created.hash))?.key.revokedAt).toBeInstanceOf(Date);
    expect(await findApiKey(postgres, "nobody")).toBeUndefined();
    const again = createAccount(postgres, { id: account.id, name: "x", settings });
    expect(await again.then(() => "none", postgresFailure)).toBe("unique");
    expect((await findAccount(postgres, account.id))?.name).toBe("Shop 2");
  });

  it("attributes are defined once", async () => {
    const keys = ["b", "a"].map((key) => ({ account: 1, key }));
    expect([await ensureAttributes(postgres, keys, 1), await ensureAttributes(postgres, keys, 2)]).toEqual([2, 0]);
    expect(await loadAttributes(postgres, 1)).toEqual(["a", "b"].map((key) => ({ account: 1, key, type: "auto" })));
  });
});

describe("an Idempotency-Key", () => {
  const LEASE_MS = 30_000;
  const keyed = (key: string) => ({ account: 1, route: "POST /api/x", key });
  const store = () => createLeaseStore(postgres, logger);
  const begin = (key: string, requestId: string, more: { leaseMs?: number; bodyHash?: string } = {}) =>
    store().begin(keyed(key), { requestId, bodyHash: "h", leaseMs: LEASE_MS, ...more });

  it("lets one of two calls at once run; the other learns that it is in progress", async () => {
    const kinds = (await Promise.all([begin("both", "r1"), begin("both", "r2")])).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(["inProgress", "run"]);
  });

  it.each([
    ["the body alone", { status: 202, body: { receipt: "abc", items: [1] } }],
    ["a body with headers", { status: 201, body: { id: "a" }, headers: { ETag: '"1"' } }],
    ["no body", { status: 204, body: null, headers: {} }],
    ["a body that looks like a stored answer", { status: 202, body: { kept: { a: 1 }, headers: { a: "b" } } }],
  ])("gives the first answer again, and refuses another body: %s", async (key, answer) => {
    await begin(key, "r1");
    await store().complete(keyed(key), "r1", answer);
    await store().complete(keyed(key), "r1", { status: 202, body: "later" });
    const answered = { kind: "answered", requestId: "r1", answer };
    expect(await begin(key, "r2")).toEqual(answered);
    expect(await store().find(keyed(key), { bodyHash: "h" })).toEqual(answered);
    expect(await begin(key, "r3", { bodyHash: "other" })).toEqual({ kind: "reused" });
  });

  it("is found before it is answered, and not before it came", async () => {
    await begin("found", "r1");
    expect(await store().find(keyed("found"), { bodyHash: "h" })).toEqual({ kind: "inProgress" });
    expect(await store().find(keyed("nobody"), { bodyHash: "h" })).toBeUndefined();
  });

  it("whose lease has lapsed is taken over by one caller, under the first call's request id", async () => {
    await begin("lapsed", "r1", { leaseMs: 0 });
    expect(await begin("lapsed", "r9", { bodyHash: "other" })).toEqual({ kind: "reused" });
    const begun = await Promise.all([begin("lapsed", "r2"), begin("lapsed", "r3")]);
    expect(begun).toContainEqual({ kind: "run", requestId: "r1" });
    expect(begun.map(({ kind }) => kind).sort()).toEqual(["inProgress", "run"]);
  });

  it("is free at once after a failure, under the same request id", async () => {
    await begin("failed", "r1");
    await store().release(keyed("failed"), "r1");
    expect(await begin("failed", "r2")).toEqual({ kind: "run", requestId: "r1" });
  });

  it("of a transaction that is rolled back is new to its retry", async () => {
    const rolledBack = postgres.transaction(async (transaction) => {
      const within = createIdempotencyStore(transaction);
      await within.begin(keyed("rolled back"), { requestId: "r1", bodyHash: "h", leaseMs: LEASE_MS });
      await within.complete(keyed("rolled back"), "r1", { status: 201, body: {} });
      throw new Error("the write failed");
    });
    await expect(rolledBack).rejects.toThrow("the write failed");
    expect(await begin("rolled back", "r2")).toEqual({ kind: "run", requestId: "r2" });
  });
});
