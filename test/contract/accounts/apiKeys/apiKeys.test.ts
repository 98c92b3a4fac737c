import { findApiKey } from "@headwater/accounts/accounts/apiKeys";
import { apiKeyLimits } from "@headwater/contracts";
import { hashApiKey } from "@headwater/kernel";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Called, type Running, startService } from "../../service/running.ts";

type Caller = Awaited<ReturnType<Running["account"]>>;

let service: Running;
let admin: Caller;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  const { account } = await service.account();
  admin = { account, key: await service.key(account, { scopes: ["read", "write", "admin", "intake"] }) };
});

const list = (key = admin.key, query = "") => service.call(key, `/v2/apikeys${query}`);
const make = (body: object, key = admin.key) => service.call(key, "/v2/apikeys", { method: "POST", body });
const revoke = (id: string, key = admin.key) => service.call(key, `/v2/apikeys/${id}`, { method: "DELETE" });
const uses = async (key: string) => (await service.call(key, "/v2/orders")).status;
const problems = ({ status, body }: Called) => [
  status,
  body.code,
  body.details?.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
];

describe("POST /v2/apikeys", () => {
  test("201 makes a key that works, shows its value this once and stores only its hash", async () => {
    const input = { name: "shop backend", scopes: ["orders:read", "orders:read"], allowIPs: ["127.0.0.0/8"] };
    const { status, body, headers } = await make({ ...input, expiresAt: "2099-01-01T00:00:00Z" });
    expect([status, headers["cache-control"]]).toEqual([201, "no-store"]);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: "shop backend",
      prefix: body.key.slice(0, 8),
      scopes: ["orders:read"],
      allowIPs: ["127.0.0.0/8"],
      expiresAt: "2099-01-01T00:00:00.000Z",
      ct: expect.any(String),
      key: expect.stringMatching(/^hw_[0-9A-Za-z]{40}$/),
    });
    expect(await uses(body.key)).toBe(200);
    const rows = await service.postgres.query<{ row: string }>({
      text: "SELECT k::text AS row FROM intake.api_keys k",
    });
    expect(rows.some(({ row }) => row.includes(body.key))).toBe(false);
    expect((await findApiKey(service.postgres, hashApiKey(body.key)))?.key.id).toBe(body.id);
    const { text } = await list();
    expect([text.includes(body.id), text.includes(body.key)]).toEqual([true, false]);
  });

  test("403 for more scopes than the caller has, by a rotation too", async () => {
    const narrow = (await make({ name: "n", scopes: ["apikeys:write", "apikeys:read", "orders:read"] })).body.key;
    expect((await make({ name: "n", scopes: ["orders:read"] }, narrow)).status).toBe(201);
    for (const scopes of [["read"], ["orders:read", "contacts:read"], ["intake"], ["message-events"]]) {
      const { status, body } = await make({ name: "n", scopes }, narrow);
      expect([scopes, status, body.code]).toEqual([scopes, 403, "INSUFFICIENT_SCOPE"]);
    }
    const [{ id }] = (await list()).body.data;
    expect((await make({ rotates: id }, narrow)).body.code).toBe("INSUFFICIENT_SCOPE");
    expect(await uses(admin.key)).toBe(200);
    expect((await make({ name: "n", scopes: ["message-events"] })).body.code).toBe("INSUFFICIENT_SCOPE");
    const reader = (await make({ name: "n", scopes: ["read"] })).body.key;
    expect((await make({ name: "n", scopes: ["read"] }, reader)).status).toBe(403);
  });

  test.each([
    [{}, ["/name required", "/scopes required"]],
    [{ name: "", scopes: ["read"] }, ["/name out_of_range"]],
    [{ name: "n", scopes: ["order:read"] }, ["/scopes/0 bad_value"]],
    [{ name: "n", scopes: [] }, ["/scopes out_of_range"]],
    [{ name: "n", scopes: ["read"], allowIPs: ["10.0.0.0/33"] }, ["/allowIPs/0 bad_value"]],
    [{ name: "n", scopes: ["read"], allowIPs: [] }, ["/allowIPs out_of_range"]],
    [{ name: "n", scopes: ["read"], expiresAt: "soon" }, ["/expiresAt bad_value"]],
    [{ name: "n", scopes: ["read"], expiresAt: "2020-01-01T00:00:00Z" }, ["/expiresAt out_of_range"]],
    [{ name: "n", scopes: ["read"], graceHours: 2 }, ["/graceHours not_allowed"]],
  ])("422 for %j", async (body, details) => {
    expect(problems(await make(body))).toEqual([422, "VALIDATION_ERROR", details]);
  });

  test("a member that is none of a key is ignored: nobody chooses a key's value", async () => {
    const { status, body } = await make({ name: "n", scopes: ["read"], key: "hw_mine" });
    expect([status, body.key === "hw_mine", body.key.startsWith("hw_")]).toEqual([201, false, true]);
  });

  test("422 when the account has as many keys as it may", async () => {
    await service.postgres.execute(
      {
        text: `INSERT INTO intake.api_keys (id, account, hash, prefix, name, scopes)
          SELECT 'many-' || a || '-' || n, a, 'many-' || a || '-' || n, 'hw_', 'n', '{read}'
          FROM generate_series(1, $2::int) n, (SELECT $1::int AS a)`,
      },
      [admin.account.number, apiKeyLimits.keysOfAccount - 2],
    );
    expect(problems(await make({ name: "n", scopes: ["read"] }))).toEqual([422, "VALIDATION_ERROR", [" too_many"]]);
  });
});

describe("a rotation", () => {
  const old = async (more: object = {}) => {
    const { body } = await make({ name: "backend", scopes: ["orders:read"], allowIPs: ["127.0.0.1"], ...more });
    return body;
  };

  test("gives a second key like the first, both work, and the first ends after its hours of grace", async () => {
    const first = await old();
    const second = await make({ rotates: first.id, graceHours: 5 });
    expect(second).toMatchObject({
      status: 201,
      body: { name: "backend", scopes: ["orders:read"], allowIPs: ["127.0.0.1"], rotates: first.id },
    });
    expect(second.body.key).not.toBe(first.key);
    expect(second.body.expiresAt).toBeUndefined();
    expect([await uses(first.key), await uses(second.body.key)]).toEqual([200, 200]);
    const { data } = (await list()).body;
    const ends = Date.parse(data.find(({ id }: { id: string }) => id === first.id).expiresAt);
    expect(Math.abs(ends - Date.now() - 5 * 3_600_000)).toBeLessThan(60_000);
  });

  test("without grace ends the first at once, and never makes it live longer", async () => {
    const first = await old();
    expect(await uses(first.key)).toBe(200);
    const second = await make({ rotates: first.id, graceHours: 0 });
    expect([await uses(first.key), await uses(second.body.key)]).toEqual([401, 200]);
    const short = await old({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await make({ rotates: short.id });
    const { data } = (await list()).body;
    expect(data.find(({ id }: { id: string }) => id === short.id).expiresAt).toBe(short.expiresAt);
  });

  test("takes what it is given instead of what the first had", async () => {
    const first = await old();
    const { body } = await make({ rotates: first.id, name: "new", scopes: ["read"], allowIPs: ["::1"] });
    expect(body).toMatchObject({ name: "new", scopes: ["read"], allowIPs: ["::1"] });
  });

  test("makes two keys and never three, not even when two ask at once", async () => {
    const first = await old();
    const answers = await Promise.all([make({ rotates: first.id }), make({ rotates: first.id })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(problems(await make({ rotates: first.id }))).toEqual([422, "VALIDATION_ERROR", ["/rotates not_allowed"]]);
    const second = answers.find(({ status }) => status === 201)?.body;
    await revoke(second.id);
    expect((await make({ rotates: first.id })).status).toBe(201);
  });

  test("404 for a key that is unknown, revoked, ended, or another account's", async () => {
    const revoked = await old();
    await revoke(revoked.id);
    const ended = await old();
    await make({ rotates: ended.id, graceHours: 0 });
    const other = await service.account();
    const theirs = await service.key(other.account);
    const { key } = (await findApiKey(service.postgres, hashApiKey(theirs))) ?? {};
    for (const rotates of ["none", revoked.id, ended.id, key?.id]) {
      const { status, body } = await make({ rotates });
      expect([rotates, status, body.code]).toEqual([rotates, 404, "RECORD_NOT_FOUND"]);
    }
    expect(await uses(theirs)).toBe(200);
  });
});

describe("DELETE /v2/apikeys/{id}", () => {
  test("200 revokes at once: the next call with the key is refused, and it is listed no more", async () => {
    const { id, key } = (await make({ name: "n", scopes: ["read"] })).body;
    expect(await uses(key)).toBe(200);
    expect(await revoke(id)).toMatchObject({ status: 200, body: { success: true } });
    expect(await uses(key)).toBe(401);
    expect((await list()).text).not.toContain(id);
  });

  test("404 for one that is unknown, was revoked before, or is another account's", async () => {
    const { id } = (await make({ name: "n", scopes: ["read"] })).body;
    await revoke(id);
    const other = await service.account();
    const theirs = await findApiKey(service.postgres, hashApiKey(other.key));
    for (const unknown of [id, "none", theirs?.key.id ?? ""]) {
      const { status, body } = await revoke(unknown);
      expect([unknown, status, body.code]).toEqual([unknown, 404, "RECORD_NOT_FOUND"]);
    }
    expect(await uses(other.key)).toBe(200);
  });
});

describe("an Idempotency-Key", () => {
  const once = (idempotencyKey: string, body: object, key = admin.key) =>
    service.call(key, "/v2/apikeys", { method: "POST", body, headers: { "idempotency-key": idempotencyKey } });
  const body = { name: "once", scopes: ["read"] };

  test("makes one key of two calls, at once or one after the other, and never shows its value again", async () => {
    const answers = await Promise.all([once("a", body), once("a", body)]);
    answers.push(await once("a", body));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [created, ...repeats] = answers.toSorted(
      (one, other) => Number("key" in other.body) - Number("key" in one.body),
    );
    expect(await uses(created?.body.key)).toBe(200);
    for (const { body: again, headers } of repeats) {
      expect([again.id, again.key, headers["idempotency-replayed"]]).toEqual([created?.body.id, undefined, "true"]);
    }
    const { text } = await list();
    expect(text.match(/"once"/g)).toHaveLength(1);
    const stored = await service.postgres.query<{ row: string }>({
      text: "SELECT i::text AS row FROM intake.idempotency i",
    });
    expect(stored.some(({ row }) => row.includes(created?.body.key))).toBe(false);
  });

  test("is refused with another body and beyond 255 characters, also after a refusal, and another account's own", async () => {
    const wrong = { name: "", scopes: ["read"] };
    expect(problems(await once("wrong", wrong))[0]).toBe(422);
    expect((await once("wrong", wrong)).headers["idempotency-replayed"]).toBe("true");
    expect((await once("wrong", body)).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect((await once("b", { name: "n", scopes: ["message-events"] })).status).toBe(403);
    expect((await once("b", body)).status).toBe(201);
    expect((await once("b", { ...body, name: "other" })).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect((await once("x".repeat(256), body)).body.code).toBe("BAD_REQUEST");
    const { account } = await service.account();
    const other = await service.key(account, { scopes: ["read", "write", "admin"] });
    expect((await once("b", { ...body, name: "other" }, other)).status).toBe(201);
  });

  test("gives the answer of a revocation again", async () => {
    const { id } = (await make(body)).body;
    const options = { method: "DELETE", headers: { "idempotency-key": "c" } } as const;
    const answers = [1, 2].map(() => () => service.call(admin.key, `/v2/apikeys/${id}`, options));
    for (const answer of answers) expect(await answer()).toMatchObject({ status: 200, body: { success: true } });
    expect((await revoke(id)).status).toBe(404);
  });
});

describe("GET /v2/apikeys", () => {
  test("200 pages through the account's own keys, either way, and counts them", async () => {
    for (const name of ["a", "b", "c"]) await make({ name, scopes: ["read"] });
    const names = async (query: string) => {
      const { body } = await list(admin.key, query);
      return { names: body.data.map(({ name }: { name: string }) => name), next: body.pagination.next_cursor };
    };
    const first = await names("?per_page=3&fields=name");
    expect(first).toEqual({ names: ["test", "test", "a"], next: expect.any(String) });
    expect(await names(`?per_page=3&cursor=${first.next}`)).toEqual({ names: ["b", "c"], next: null });
    expect((await names("?sort_dir=desc&sort_by=ct&per_page=2&page=2")).names).toEqual(["a", "test"]);
    expect((await list(admin.key, "?return_count=true")).body.pagination).toMatchObject({ total: 5 });
  });

  test("400 for what it does not know, 422 for pages that are too large", async () => {
    expect((await list(admin.key, "?fields=key")).body.code).toBe("BAD_REQUEST");
    expect((await list(admin.key, "?cursor=x")).body.code).toBe("INVALID_CURSOR");
    expect((await list(admin.key, "?per_page=501")).status).toBe(422);
  });
});

describe("the routes of keys", () => {
  test("401 without a key, 403 without their scope, 429 beyond their rate", async () => {
    const reader = await service.key(admin.account, { scopes: ["orders:read"] });
    const writer = await service.key(admin.account, { scopes: ["apikeys:write"] });
    for (const call of [list, (key?: string) => make({}, key), (key?: string) => revoke("x", key)]) {
      expect((await call("hw_nobody")).body.code).toBe("AUTHENTICATION_FAILED");
      expect((await call(reader)).body.code).toBe("INSUFFICIENT_SCOPE");
    }
    expect((await list(writer)).status).toBe(403);
    const slow = await service.account({ limits: { writePerSecond: 1, readPerSecond: 100 } });
    const key = await service.key(slow.account, { scopes: ["write", "admin"] });
    const answers = await Promise.all([1, 2, 3].map(() => revoke("none", key)));
    const limited = answers.find(({ status }) => status === 429);
    expect(limited?.headers).toMatchObject({
      "x-rate-limit-limit": "1",
      "x-rate-limit-remaining": "0",
      "x-rate-limit-reset": expect.stringMatching(/^\d{10}$/),
      "ratelimit-policy": '"write";q=1;w=1',
      ratelimit: '"write";r=0;t=1',
      "retry-after": "1",
    });
  });
});
