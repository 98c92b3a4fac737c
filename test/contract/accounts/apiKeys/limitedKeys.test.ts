import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Running, startService } from "../../service/running.ts";

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

const list = () => service.call(admin.key, "/v2/apikeys");
const make = (body: object, key = admin.key) => service.call(key, "/v2/apikeys", { method: "POST", body });

describe("a key that is limited", () => {
  const END = new Date(Date.now() + 86_400_000).toISOString();
  const LATER = "2099-01-01T00:00:00.000Z";
  const limited = async () => {
    const scopes = ["apikeys:read", "apikeys:write", "orders:read"];
    return (await make({ name: "limited", scopes, allowIPs: ["127.0.0.0/8"], expiresAt: END })).body;
  };
  const scopes = ["orders:read"];

  test.each([
    [{}, { allowIPs: ["127.0.0.0/8"], expiresAt: END }],
    [
      { allowIPs: ["0.0.0.0/0", "::/0"], expiresAt: LATER },
      { allowIPs: ["127.0.0.0/8"], expiresAt: END },
    ],
    [{ allowIPs: ["127.0.0.1", "10.0.0.1"] }, { allowIPs: ["127.0.0.1"], expiresAt: END }],
  ])("makes of %j a key with %j", async (wanted, input) => {
    const created = await make({ name: "n", scopes, ...wanted }, (await limited()).key);
    expect([created.status, created.body.allowIPs, created.body.expiresAt]).toEqual([
      201,
      input.allowIPs,
      input.expiresAt,
    ]);
  });

  test("422 when it may be used from none of the addresses of the new one", async () => {
    const built = await make({ name: "n", scopes, allowIPs: ["203.0.113.0/24"] }, (await limited()).key);
    expect(built).toMatchObject({ status: 422, body: { details: [{ path: "/allowIPs", code: "not_allowed" }] } });
  });

  test("is replaced by one with the same limits, even by itself", async () => {
    const { id, key } = await limited();
    const { status, body } = await make({ rotates: id, allowIPs: ["::/0", "0.0.0.0/0"], expiresAt: LATER }, key);
    expect([status, body.allowIPs, body.expiresAt]).toEqual([201, ["127.0.0.0/8"], END]);
  });

  test.each([
    ["scopes", { scopes: ["read"], allowIPs: ["127.0.0.1"], expiresAt: END }],
    ["addresses", { scopes, expiresAt: END }],
    ["expiry", { scopes, allowIPs: ["127.0.0.1"] }],
  ])("403 when it replaces a key with more %s, however little it asks of the new one", async (_, wide) => {
    const theirs = (await make({ name: "wide", ...wide })).body;
    const { key } = await limited();
    const small = { rotates: theirs.id, scopes, allowIPs: ["127.0.0.1"], expiresAt: END, graceHours: 0 };
    expect(await make(small, key)).toMatchObject({ status: 403, body: { code: "INSUFFICIENT_SCOPE" } });
    const { data } = (await list()).body;
    const stored = data.find(({ id }: { id: string }) => id === theirs.id);
    expect(stored.expiresAt).toBe(theirs.expiresAt);
  });
});
