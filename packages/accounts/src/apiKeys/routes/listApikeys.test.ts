import { account } from "@headwater/api/testRoutes";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { API_KEY_MEMBERS, apiKeyRecord, apiKeyShape } from "../apiKeyView.ts";
import { serveKeys } from "../testKeys.ts";
import { query } from "./listApikeys.ts";

const created = {
  id: "k1",
  account: 1,
  prefix: "hw_abcde",
  name: "n",
  scopes: ["read"],
  allowIps: null,
  rotates: null,
  expiresAt: null,
  revokedAt: null,
  createdAt: new Date(0),
  lastUsedAt: null,
};

test("what a key does not have is left out, and nothing of its secret is shown but its beginning", () => {
  const ct = "1970-01-01T00:00:00.000Z";
  expect(apiKeyRecord(created)).toEqual({ id: "k1", name: "n", prefix: "hw_abcde", scopes: ["read"], ct });
  const full = { ...created, allowIps: ["10.0.0.0/8"], rotates: "k0", expiresAt: new Date(1), lastUsedAt: new Date(2) };
  const record = apiKeyRecord(full);
  expect(Object.keys(record)).toEqual([...API_KEY_MEMBERS]);
  expect(apiKeyShape.safeParse(record).success).toBe(true);
});

test("keys are sorted by the time of their making alone", () => {
  expect(query.safeParse({ sort_by: "ct", sort_dir: "desc" }).success).toBe(true);
  expect(query.safeParse({ sort_by: "name" }).success).toBe(false);
});

describe("GET /v2/apikeys", () => {
  const { call, world } = serveKeys();
  const page = z.object({
    data: z.array(z.object({ id: z.string() })),
    pagination: z.object({ next_cursor: z.string().nullable() }),
  });
  const list = async (query = "") => page.parse((await call("GET", `/v2/apikeys${query}`)).body);

  test("answers 200 with the keys that are active, page by page, and without their values", async () => {
    const key = { account: account.number, hash: "secret hash", prefix: "p", name: "", scopes: ["intake"] };
    for (const id of ["k2", "k3"]) await world.rows.create({ ...key, id });
    await world.rows.revoke(account.number, "k2");
    await world.rows.create({ ...key, account: account.number + 1, id: "theirs" });
    const first = await list("?per_page=1");
    const rest = await list(`?per_page=1&cursor=${first.pagination.next_cursor}`);
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(["k1", "k3"]);
    expect(rest.pagination.next_cursor).toBeNull();
    expect(JSON.stringify(await call("GET", "/v2/apikeys"))).not.toContain("secret hash");
  });

  test.each([
    ["?per_page=100000", 422],
    ["?cursor=nonsense", 400],
    ["?sort_by=name", 400],
  ])("answers %s with %i", async (query, status) => {
    expect((await call("GET", `/v2/apikeys${query}`)).status).toBe(status);
  });
});
