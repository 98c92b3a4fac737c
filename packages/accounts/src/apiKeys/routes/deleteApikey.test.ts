import { account } from "@headwater/api/testRoutes";
import { describe, expect, test } from "vitest";
import { serveKeys } from "../testKeys.ts";
import { params } from "./deleteApikey.ts";

test("an id is short text that a store can be asked for", () => {
  expect(params.safeParse({ id: "65f0c0ffee65f0c0ffee0001" }).success).toBe(true);
  expect(params.safeParse({ id: "x".repeat(65) }).success).toBe(false);
  expect(params.safeParse({ id: "\u0000" }).success).toBe(false);
});

describe("DELETE /v2/apikeys/{id}", () => {
  const { call, world } = serveKeys();

  test("answers 200, and every process hears of the key", async () => {
    expect(await call("DELETE", "/v2/apikeys/k1")).toMatchObject({ status: 200, body: { success: true } });
    expect([await world.rows.count(account.number), world.changed, world.once.entries]).toEqual([
      0,
      ["h1"],
      ["deleteApikey"],
    ]);
  });

  test("answers 404 for an unknown key and for one that was revoked before, and writes no entry", async () => {
    expect(await call("DELETE", "/v2/apikeys/nobody")).toMatchObject({
      status: 404,
      body: { code: "RECORD_NOT_FOUND" },
    });
    await call("DELETE", "/v2/apikeys/k1");
    expect((await call("DELETE", "/v2/apikeys/k1")).status).toBe(404);
    expect([world.changed, world.once.entries]).toEqual([["h1"], ["deleteApikey"]]);
  });

  test("answers 200 to a repeat under its Idempotency-Key", async () => {
    const headers = { "idempotency-key": "i1" };
    await call("DELETE", "/v2/apikeys/k1", { headers });
    expect(await call("DELETE", "/v2/apikeys/k1", { headers })).toMatchObject({ status: 200, body: { success: true } });
  });
});
