import { roles } from "@headwater/contracts";
import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";
import { scopesOf } from "./role.ts";

const { send } = serveService(["roles", "whoami"]);

test("every role is listed with its scopes, the widest first", async () => {
  const { status, body } = await send("listRoles");
  expect(status).toBe(200);
  expect(body).toHaveProperty(
    "data",
    roles.map((role) => expect.objectContaining({ role, scopes: scopesOf(role), description: expect.any(String) })),
  );
});

test("a key is told who it is, for which account, and with which scopes; never its value", async () => {
  const { status, body } = await send("whoami");
  expect([status, body]).toEqual([
    200,
    {
      caller: { kind: "key", id: "k1", name: "first key" },
      account: { id: expect.stringMatching(/^[0-9a-f]{24}$/), name: "test" },
      scopes: ["read", "write", "admin", "intake"],
    },
  ]);
});

test("nobody is told anything", async () => {
  expect((await send("whoami", { isAnonymous: true })).status).toBe(401);
  expect((await send("listRoles", { isAnonymous: true })).status).toBe(401);
});
