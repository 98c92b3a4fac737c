import { findApiKey } from "@headwater/accounts/accounts/apiKeys";
import { connect, createMemoryTerminal, runCommand } from "@headwater/cli";
import { hashApiKey } from "@headwater/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Running, startService } from "../service/running.ts";

let service: Running;
let url: string;
let accountId: string;
let adminKey: string;
beforeAll(async () => {
  service = await startService();
  url = await service.listen();
  const { account } = await service.account();
  accountId = account.id;
  adminKey = await service.key(account, { scopes: ["read", "write", "admin", "intake"] });
});
afterAll(() => service.stop());

async function headwater(...args: string[]) {
  const { terminal, out, said } = createMemoryTerminal();
  const env = {
    ...{ HEADWATER_HOME: "/nowhere", POSTGRES_URL: service.postgresUrl },
    ...{ HEADWATER_SERVICE_URL: url, HEADWATER_API_KEY: adminKey },
  };
  const code = await runCommand({ args: ["apikeys", ...args], env, terminal, connect });
  return { code, out: out(), err: said() };
}

async function json(...args: string[]) {
  const { code, out, err } = await headwater(...args, "--json");
  expect({ code, err }).toMatchObject({ code: 0 });
  return JSON.parse(out);
}

const uses = async (key: string) => (await service.call(key, "/v2/orders")).status;

test.each([
  ["through the API", []],
  ["in the database", ["--account"]],
] as const)("keys are made, listed, rotated and revoked %s", async (_way, option) => {
  const way = option.length === 0 ? [] : [...option, accountId];
  const create = ["create", "--name", "shop", "--scopes", "orders:read, intake", "--allow-ip", "127.0.0.1,::1"];
  const created = await json(...create, "--expires", "2099-01-01", ...way);
  expect(created).toMatchObject({ scopes: ["orders:read", "intake"], allowIPs: ["127.0.0.1", "::1"] });
  expect(await uses(created.key)).toBe(200);
  const rotated = await json("rotate", created.id, "--grace-hours", "0", ...way);
  expect(rotated).toMatchObject({ name: "shop", rotates: created.id, allowIPs: ["127.0.0.1", "::1"] });
  await expect.poll(() => uses(created.key)).toBe(401);
  expect(await uses(rotated.key)).toBe(200);
  const listed: { id: string }[] = await json("ls", ...way);
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([created.id, rotated.id]));
  expect(JSON.stringify(listed)).not.toContain(rotated.key);
  expect((await headwater("revoke", rotated.id, ...way)).code).toBe(2);
  expect(await json("revoke", rotated.id, "--yes", ...way)).toEqual({ id: rotated.id, revoked: true });
  await expect.poll(() => uses(rotated.key)).toBe(401);
  expect((await headwater("revoke", rotated.id, "--yes", ...way)).code).toBe(4);
  expect((await headwater("rotate", rotated.id, ...way)).code).toBe(4);
});

test("an operator gives a scope that no key of the account has; a key cannot", async () => {
  const create = ["create", "--name", "sender", "--scopes", "intake,message-events"];
  expect((await headwater(...create)).code).toBe(3);
  const { key } = await json(...create, "--account", accountId);
  expect((await findApiKey(service.postgres, hashApiKey(key)))?.key.scopes).toEqual(["intake", "message-events"]);
});

test("what is not valid exits 5 and names the member, both ways, and a dry run makes nothing", async () => {
  for (const way of [[], ["--account", accountId]]) {
    const wrong = await headwater("create", "--name", "n", "--scopes", "order:read", "--allow-ip", "host", ...way);
    expect(wrong).toMatchObject({ code: 5, out: "" });
    expect(wrong.err).toContain("/scopes/0");
    expect(wrong.err).toContain("/allowIPs/0");
    expect((await headwater("create", "--name", "n", "--scopes", "read", "--expires", "2020-01-01", ...way)).code).toBe(
      5,
    );
    const before = await json("ls", ...way);
    expect(await json("create", "--name", "n", "--scopes", "read", "--dry-run", ...way)).toEqual({
      name: "n",
      scopes: ["read"],
    });
    await headwater("revoke", before[0].id, "--dry-run", ...way);
    expect((await json("ls", ...way)).length).toBe(before.length);
  }
});
