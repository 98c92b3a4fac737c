import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService([]);
const REPLAYED = "idempotency-replayed";
const headers = (key: string) => ({ "idempotency-key": key });
const unknown = { primary_key: "email:nobody@example.com" };

test.each([
  ["the shape of a body", "createContact", { body: { channels: 7 } }, { body: { channels: {} } }],
  ["a body that is no JSON", "createContact", { body: "{" }, { body: "[" }],
  [
    "a rule of the handler",
    "createContact",
    { body: { channels: { sms: { address: "" } } } },
    { body: { channels: { email: { address: "ada@example.com" } } } },
  ],
  [
    "a record that is not there",
    "updateContact",
    { params: unknown, body: { lists: ["vip"] } },
    { params: unknown, body: { lists: ["x"] } },
  ],
])(
  "a call refused for %s is answered alike again under its Idempotency-Key, and another body is refused",
  async (why, operation, call, other) => {
    const first = await send(operation, { ...call, headers: headers(why) });
    const again = await send(operation, { ...call, headers: headers(why) });
    expect(first.status).toBeGreaterThanOrEqual(400);
    expect(first.headers[REPLAYED]).toBeUndefined();
    expect([again.status, again.body, again.headers[REPLAYED]]).toEqual([first.status, first.body, "true"]);
    expect(again.headers["x-request-id"]).toBe(first.body.requestId);
    expect(await send(operation, { ...other, headers: headers(why) })).toMatchObject({
      status: 422,
      body: { code: "IDEMPOTENCY_KEY_REUSED" },
    });
  },
);

test("a refusal is kept for its own path alone, and not at all without a key", async () => {
  const body = { lists: ["vip"] };
  expect((await send("updateContact", { params: unknown, body, headers: headers("path") })).status).toBe(404);
  const created = { body: { channels: { email: { address: "other@example.com" } } }, headers: headers("path") };
  expect((await send("createContact", created)).status).toBe(201);
  expect((await send("updateContact", { params: unknown, body })).headers[REPLAYED]).toBeUndefined();
  expect((await send("updateContact", { params: unknown, body })).headers[REPLAYED]).toBeUndefined();
});

test("a call that is refused because the first one succeeded gets the first answer", async () => {
  const call = { body: { key: "once", name: "once", type: "string" }, headers: headers("attribute") };
  const first = await send("createAttribute", call);
  const again = await send("createAttribute", call);
  expect([first.status, again.status, again.headers[REPLAYED]]).toEqual([201, 201, "true"]);
});

test("a refusal that lies with the rights of the caller is not kept", async () => {
  const body = { name: "feed", scopes: ["message-events"] };
  expect((await send("createApikey", { body, headers: headers("rights") })).status).toBe(403);
  const allowed = { body: { name: "feed", scopes: ["read"] }, headers: headers("rights") };
  expect((await send("createApikey", allowed)).status).toBe(201);
});

test("of calls that come at once with different bodies one alone keeps its answer", async () => {
  const addresses = ["", "one@example.com"];
  const calls = addresses.map((address) =>
    send("createContact", { body: { channels: { email: { address } } }, headers: headers("race") }),
  );
  const codes = (await Promise.all(calls)).map(({ body }) => body.code);
  expect(codes).toContain("IDEMPOTENCY_KEY_REUSED");
});
