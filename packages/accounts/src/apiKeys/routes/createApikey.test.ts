import { account, NOW_MS as now } from "@headwater/api/testRoutes";
import { apiKeyLimits } from "@headwater/contracts";
import { describe, expect, it, test } from "vitest";
import { serveKeys } from "../testKeys.ts";
import { readExpiry } from "./createApikey.ts";

const NOW_MS = Date.parse("2026-01-31T12:00:00Z");

describe("the end of a key", () => {
  it("is an instant, or a day's midnight in the account's zone, or none", () => {
    expect(readExpiry(undefined, "UTC", NOW_MS)).toBeUndefined();
    expect(readExpiry("2026-02-01T00:00:00+01:00", "UTC", NOW_MS)?.toISOString()).toBe("2026-01-31T23:00:00.000Z");
    expect(readExpiry("2026-02-01", "Europe/Berlin", NOW_MS)?.toISOString()).toBe("2026-01-31T23:00:00.000Z");
  });

  it.each([
    ["tomorrow", "bad_value"],
    ["2026-01-31T12:00:00Z", "out_of_range"],
  ])("%s is refused", (text, code) => {
    const read = () => readExpiry(text, "UTC", NOW_MS);
    expect(read).toThrow(expect.objectContaining({ details: [expect.objectContaining({ path: "/expiresAt", code })] }));
  });
});

describe("POST /v2/apikeys", () => {
  const { call, world } = serveKeys();
  const create = (body: object, sent: { key?: string; headers?: Record<string, string> } = {}) =>
    call("POST", "/v2/apikeys", { body, ...sent });
  const wanted = { name: "app", scopes: ["intake"] };

  test("answers 201 with the value, stores its hash alone and writes an entry", async () => {
    const { status, body } = await create(wanted);
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "app", scopes: ["intake"], prefix: String(body.key).slice(0, 8) });
    expect(JSON.stringify(await world.rows.list(account.number))).not.toContain(body.key);
    expect(world.once.entries).toEqual(["createApikey"]);
  });

  test("answers 201 to a repeat under its Idempotency-Key, without the value, and makes one key", async () => {
    const headers = { "idempotency-key": "i1" };
    const first = await create(wanted, { headers });
    const again = await create(wanted, { headers });
    expect([again.status, again.body.id, again.body.key]).toEqual([201, first.body.id, undefined]);
    expect(await world.rows.count(account.number)).toBe(2);
  });

  test("answers 201 to a rotation: scopes are taken over, and the old key ends after its grace", async () => {
    const { status, body } = await create({ rotates: "k1", graceHours: 2 });
    expect([status, body.scopes, body.rotates, world.changed]).toEqual([201, ["intake"], "k1", ["h1"]]);
    const [old] = await world.rows.list(account.number);
    expect(old?.expiresAt?.getTime()).toBe(now + 2 * 3_600_000);
  });

  test.each([
    ["scopes that its caller lacks", 403, "INSUFFICIENT_SCOPE", { scopes: ["intake"] }],
    ["the rotation of a wider key", 403, "INSUFFICIENT_SCOPE", { rotates: "k1" }],
  ])("answers a narrow key that asks for %s with %i", async (_what, status, code, body) => {
    expect(await create({ name: "n", ...body }, { key: "narrow" })).toMatchObject({ status, body: { code } });
    expect([await world.rows.count(account.number), world.once.entries]).toEqual([1, []]);
  });

  test.each([
    ["an unknown key to replace", 404, "RECORD_NOT_FOUND", { rotates: "nobody" }],
    ["an end that has passed", 422, "VALIDATION_ERROR", { ...wanted, expiresAt: "2026-01-31T11:00:00Z" }],
    ["a scope that there is not", 422, "VALIDATION_ERROR", { ...wanted, scopes: ["everything"] }],
    ["no scopes", 422, "VALIDATION_ERROR", { name: "app" }],
  ])("answers %s with %i and makes nothing", async (_what, status, code, body) => {
    expect(await create(body)).toMatchObject({ status, body: { code } });
    expect([await world.rows.count(account.number), world.once.entries]).toEqual([1, []]);
  });

  test("answers 422 to a second rotation of one key", async () => {
    await create({ rotates: "k1" });
    expect(await create({ rotates: "k1" })).toMatchObject({ status: 422, body: { code: "VALIDATION_ERROR" } });
  });

  test("answers 422 to another body under the same Idempotency-Key", async () => {
    const headers = { "idempotency-key": "i2" };
    await create(wanted, { headers });
    const reused = await create({ ...wanted, name: "other" }, { headers });
    expect(reused).toMatchObject({ status: 422, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
  });

  test("answers 422 when the account has as many keys as it may", async () => {
    for (let created = 1; created < apiKeyLimits.keysOfAccount; created += 1) {
      const key = { account: account.number, hash: `h${created}x`, prefix: "p", name: "", scopes: ["intake"] };
      await world.rows.create({ ...key, id: `n${created}` });
    }
    expect(await create(wanted)).toMatchObject({ status: 422, body: { code: "VALIDATION_ERROR" } });
  });
});
