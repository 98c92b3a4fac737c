import { expect, test } from "vitest";
import { serveService } from "../testService.ts";

const { send } = serveService(["automationtemplates"]);
const key = "welcome-2026";
const params = { key, contactID: "email:ada@example.com" };

test("a template is created, published, rendered, sent and deleted", async () => {
  await send("createContact", { body: { channels: { email: { address: "ada@example.com" } } } });
  const transport = { name: "Out", channel: "email", type: "log", default: true, settings: {} };
  await send("createTransport", { body: transport });
  expect((await send("createTemplate")).status).toBe(201);
  expect(await send("getTemplate", { params })).toMatchObject({ status: 200, body: { name: "Welcome" } });
  expect(await send("listTemplates")).toMatchObject({ status: 200, body: { data: [{ key }] } });
  expect((await send("updateTemplate", { params })).status).toBe(200);
  expect(await send("renderTemplatedraft", { params })).toMatchObject({ status: 200 });
  expect((await send("publishTemplate", { params })).status).toBe(200);
  expect((await send("renderTemplate", { params })).status).toBe(200);
  expect((await send("sendTemplate", { params, body: { to: { email: "ada@example.com" } } })).status).toBe(200);
  expect((await send("sendTemplatedraft", { params, body: { to: { email: "ada@example.com" } } })).status).toBe(200);
  expect((await send("listTemplatesends", { params })).status).toBe(200);
  expect((await send("deleteTemplate", { params })).status).toBe(200);
  expect((await send("getTemplate", { params })).status).toBe(404);
});

test.each([
  "getTemplate",
  "updateTemplate",
  "deleteTemplate",
  "publishTemplate",
  "renderTemplatedraft",
  "renderTemplate",
  "sendTemplate",
  "sendTemplatedraft",
  "listTemplatesends",
])("%s answers 404 for an unknown key", async (operation) => {
  expect((await send(operation, { params: { ...params, key: "nobody" } })).status).toBe(404);
});

test("content that is no Liquid is refused with 422", async () => {
  const message = {
    headers: { subject: "{% if %}", fromEmail: "news@example.com" },
    content: { "text/html": "<p>Hello</p>" },
  };
  const body = { key: "broken", name: "Broken", channel: "email", classification: "transactional", message };
  expect((await send("createTemplate", { body })).status).toBe(422);
});
