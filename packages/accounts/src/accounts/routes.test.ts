import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

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

test("link parameters are stored, shown and taken out one by one", async () => {
  const write = (linkParameters: object) => send("updateAccount", { body: { messaging: { linkParameters } } });
  const stored = { utm_source: "mail", who: "{{ contact.cID }}" };
  expect((await write(stored)).body).toMatchObject({ messaging: { linkParameters: stored } });
  await write({ who: null });
  const { body } = await send("getAccount");
  expect(body).toHaveProperty("messaging.linkParameters", { utm_source: "mail" });
});

test("a link parameter with a mistake in its Liquid is refused with its place, and nothing changes", async () => {
  const before = (await send("getAccount")).body;
  const write = (text: unknown) => send("updateAccount", { body: { messaging: { linkParameters: { a: text } } } });
  const path = "/messaging/linkParameters/a";
  expect(await write("x{{ b | nothing }}")).toMatchObject({
    status: 422,
    body: { code: "VALIDATION_ERROR", details: [{ path, code: "bad_value", line: 1, column: 2 }] },
  });
  expect(await write("{% include 'a' %}")).toMatchObject({
    status: 422,
    body: { details: [{ path, code: "not_allowed", line: 1, column: 1 }] },
  });
  expect(await write("x".repeat(1_001))).toMatchObject({ status: 422, body: { details: [{ path }] } });
  expect(await write(7)).toMatchObject({ status: 422, body: { details: [{ path }] } });
  expect((await send("getAccount")).body).toEqual(before);
});

test("lists of the unsubscribe page are stored as a whole; a name that no list can have is refused with its place", async () => {
  const write = (preferenceLists: unknown) => send("updateAccount", { body: { messaging: { preferenceLists } } });
  expect((await write(["news", "deals"])).body).toHaveProperty("messaging.preferenceLists", ["news", "deals"]);
  expect((await write(["vip"])).body).toHaveProperty("messaging.preferenceLists", ["vip"]);
  expect(await write(["vip", "a b"])).toMatchObject({
    status: 422,
    body: { code: "VALIDATION_ERROR", details: [{ path: "/messaging/preferenceLists/1" }] },
  });
  expect((await send("getAccount")).body).toHaveProperty("messaging.preferenceLists", ["vip"]);
});
