import { expect, test } from "vitest";
import { serveService } from "../testService.ts";

const { send } = serveService(["account"]);

test("the account is read, changed, and read as it was changed", async () => {
  expect(await send("getAccount")).toMatchObject({ status: 200, body: { name: "test" } });
  expect(await send("updateAccount", { body: { currency: "GBP" } })).toMatchObject({
    status: 200,
    body: { currency: "GBP" },
  });
  expect(await send("getAccount")).toMatchObject({ status: 200, body: { currency: "GBP" } });
});

test("a zone that does not exist is refused with 422, and nothing changes", async () => {
  const before = (await send("getAccount")).body;
  expect((await send("updateAccount", { body: { timezone: "Mars/Base" } })).status).toBe(422);
  expect((await send("getAccount")).body).toEqual(before);
});
