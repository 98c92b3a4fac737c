import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const service = serveService(["accountcontactattributes"]);
const { send } = service;

test("an attribute is defined, read, listed, changed and deleted", async () => {
  expect((await send("createAttribute")).status).toBe(201);
  const params = { key: "lifetime_value" };
  expect(await send("getAttribute", { params })).toMatchObject({ status: 200, body: { type: "number" } });
  expect((await send("updateAttribute", { params, body: { name: "Value" } })).status).toBe(200);
  expect((await send("getAttribute", { params })).body).toMatchObject({ name: "Value" });
  const { status, body } = await send("listAttributes");
  expect([status, body.data.some(({ key }: { key: string }) => key === "lifetime_value")]).toEqual([200, true]);
  service.rows = (sql) => (sql.includes("AS live") ? [{ live: 2 }] : []);
  expect((await send("listAttributevalues", { params })).status).toBe(200);
  expect((await send("deleteAttribute", { params })).status).toBe(200);
  expect((await send("getAttribute", { params })).status).toBe(404);
});

test.each(["getAttribute", "updateAttribute", "deleteAttribute", "listAttributevalues"])(
  "%s answers 404 for an unknown key",
  async (operation) => {
    expect((await send(operation, { params: { key: "nobody" } })).status).toBe(404);
  },
);

test("a definition that a write made can be sent back as it was read, and a type is never taken back", async () => {
  const contact = { channels: { email: { address: "ada@example.com" } }, attributes: { colour: "red" } };
  expect((await send("createContact", { body: contact })).status).toBe(201);
  const params = { key: "colour" };
  const { body } = await send("getAttribute", { params });
  expect(body.type).toBe("auto");
  expect((await send("updateAttribute", { params, body: { ...body, name: "Colour" } })).body).toEqual({
    success: true,
    key: "colour",
  });
  expect((await send("getAttribute", { params })).body).toEqual({ ...body, name: "Colour" });
  expect((await send("updateAttribute", { params, body: { type: "string" } })).status).toBe(200);
  expect(await send("updateAttribute", { params, body })).toMatchObject({
    status: 422,
    body: { code: "TYPE_CHANGE_NOT_ALLOWED" },
  });
});

test("a key of more than 128 characters is declared when a write has made it, and not made anew", async () => {
  const key = "k".repeat(300);
  const body = { key, name: "Long", type: "string" };
  expect(await send("createAttribute", { body })).toMatchObject({
    status: 422,
    body: { code: "VALIDATION_ERROR", details: [{ path: "/key", code: "too_long" }] },
  });
  const contact = { channels: { email: { address: "ada@example.com" } }, attributes: { [key]: "red" } };
  expect((await send("createContact", { body: contact })).status).toBeLessThan(300);
  const params = { key };
  const { body: created } = await send("getAttribute", { params });
  expect((await send("updateAttribute", { params, body: created })).status).toBe(200);
  expect((await send("createAttribute", { body })).status).toBe(201);
  expect((await send("getAttribute", { params })).body).toMatchObject({ key, name: "Long", type: "string" });
});

test("a key that is taken is refused with 422", async () => {
  const body = { key: "plan", name: "Plan", type: "string" };
  expect((await send("createAttribute", { body })).status).toBe(201);
  expect((await send("createAttribute", { body })).status).toBe(422);
});
