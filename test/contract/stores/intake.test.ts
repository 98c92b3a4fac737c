import { defaultSettings } from "@headwater/contracts";
import {
  createAccount,
  createApiKey,
  findAccount,
  findApiKey,
  revokeApiKey,
  updateAccount,
} from "@headwater/stores/accounts";
import { ensureAttributes, loadAttributes } from "@headwater/stores/attributes";
import {
  claimIdempotency,
  finishIdempotency,
  forgetIdempotency,
  releaseIdempotency,
} from "@headwater/stores/idempotency";
import { type Postgres, postgresFailure } from "@headwater/stores/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fresh, freshPostgres } from "./fresh.ts";

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
    const made = {
      id: "k1",
      account: account.number,
      hash: "h".repeat(64),
      prefix: "hw_abc",
      name: "first",
      scopes: ["write", 'a"b'],
    };
    await createApiKey(postgres, made);
    const settings = { ...defaultSettings, timezone: "Europe/Berlin" };
    await updateAccount(postgres, account.id, { name: "Shop 2", settings });
    const found = await findApiKey(postgres, made.hash);
    expect(found?.account).toEqual({ number: account.number, id: account.id, name: "Shop 2", settings });
    expect(found?.key).toMatchObject({ id: "k1", scopes: ["write", 'a"b'], revokedAt: null, expiresAt: null });
    expect([
      await revokeApiKey(postgres, account.number, "k1"),
      await revokeApiKey(postgres, account.number, "k1"),
    ]).toEqual([made.hash, undefined]);
    expect((await findApiKey(postgres, made.hash))?.key.revokedAt).toBeInstanceOf(Date);
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
  const call = (key: string, requestId: string, more: { leaseMs?: number; bodyHash?: string } = {}) =>
    claimIdempotency(postgres, {
      account: 1,
      route: "POST /api/x",
      key,
      requestId,
      bodyHash: "h",
      leaseMs: LEASE_MS,
      ...more,
    });
  const scope = (key: string) => ({ account: 1, route: "POST /api/x", key });

  it("lets one of two calls at once go on; the other learns that it runs", async () => {
    const kinds = (await Promise.all([call("both", "r1"), call("both", "r2")])).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(["claimed", "running"]);
  });

  it("gives the first answer again, and refuses another body", async () => {
    await call("answered", "r1");
    const answer = { receipt: "abc", items: [1] };
    expect(await finishIdempotency(postgres, scope("answered"), { status: 202, answer })).toBe(true);
    expect(await finishIdempotency(postgres, scope("answered"), { status: 202, answer: {} })).toBe(false);
    expect(await call("answered", "r2")).toEqual({ kind: "answered", requestId: "r1", status: 202, answer });
    expect(await call("answered", "r3", { bodyHash: "other" })).toEqual({ kind: "otherBody" });
  });

  it("whose lease has lapsed is taken over by one caller, under the first call's request id", async () => {
    await call("lapsed", "r1", { leaseMs: 0 });
    expect(await call("lapsed", "r9", { bodyHash: "other" })).toEqual({ kind: "otherBody" });
    const outcomes = await Promise.all([call("lapsed", "r2"), call("lapsed", "r3")]);
    expect(outcomes).toContainEqual({ kind: "claimed", requestId: "r1", repeated: true });
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["claimed", "running"]);
  });

  it("is free at once after a failure under the same request id, and as new after a refusal", async () => {
    await call("failed", "r1");
    await releaseIdempotency(postgres, scope("failed"));
    expect(await call("failed", "r2")).toEqual({ kind: "claimed", requestId: "r1", repeated: true });
    await call("refused", "r1");
    await forgetIdempotency(postgres, scope("refused"), "r1");
    expect(await call("refused", "r2")).toEqual({ kind: "claimed", requestId: "r2", repeated: false });
  });
});
