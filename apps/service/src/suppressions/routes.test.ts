import { expect, test } from "vitest";
import { serveService } from "../testService.ts";

const { send } = serveService(["suppressions"]);

test("an address is suppressed, listed, and freed", async () => {
  const created = await send("createSuppression");
  expect(created.status).toBe(201);
  expect(await send("listSuppressions")).toMatchObject({
    status: 200,
    body: { data: [{ address: "grace@example.com" }] },
  });
  const params = { id: String(created.body.id) };
  expect((await send("deleteSuppression", { params })).status).toBe(200);
  expect((await send("deleteSuppression", { params })).status).toBe(404);
});

test("what is no address is refused with 422", async () => {
  expect((await send("createSuppression", { body: { channel: "email", address: "nobody" } })).status).toBe(422);
});
