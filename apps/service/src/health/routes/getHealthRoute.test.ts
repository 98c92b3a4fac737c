import { expect, test } from "vitest";
import { serveService } from "../../testService.ts";

const { send } = serveService([]);

test("getHealth takes the receipt of a write, as every read does", async () => {
  const written = await send("createAccountlist", { body: { name: "vip" } });
  const receipt = encodeURIComponent(String(written.headers["headwater-receipt"]));
  const after = `?after=${receipt}`;
  expect(await send("getHealth", { query: after })).toMatchObject({ status: 200, body: { status: "ok" } });
  expect(await send("getHealth", { query: "?after=none" })).toMatchObject({
    status: 400,
    body: { code: "BAD_REQUEST", details: [{ path: "/after", code: "bad_value" }] },
  });
});

test("a receipt without the key of its account is 401, and health alone needs none", async () => {
  expect((await send("getHealth", { query: "?after=none", isAnonymous: true })).status).toBe(401);
  expect((await send("getHealth", { isAnonymous: true })).status).toBe(200);
});
