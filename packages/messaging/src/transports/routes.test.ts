import { createSealer } from "@headwater/kernel";
import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const sealer = createSealer([Buffer.alloc(32, 1)]);
const { send } = serveService(["transports"], { sealer, resolveTxt: async () => [] });
const body = { name: "Out", channel: "email", type: "log", settings: {} };

test("a transport is created, read, listed, changed, checked and deleted", async () => {
  const created = await send("createTransport", { body });
  expect(created.status).toBe(201);
  const params = { id: String(created.body.id) };
  expect(await send("getTransport", { params })).toMatchObject({ status: 200, body: { name: "Out" } });
  expect(await send("listTransports")).toMatchObject({ status: 200, body: { data: [{ name: "Out" }] } });
  expect((await send("updateTransport", { params, body: { enabled: false } })).status).toBe(200);
  expect((await send("getTransport", { params })).body).toMatchObject({ enabled: false });
  expect((await send("checkTransport", { params })).status).toBe(200);
  expect((await send("deleteTransport", { params })).status).toBe(200);
  expect((await send("getTransport", { params })).status).toBe(404);
});

test("a repeat of the call that creates an HTTP transport gets the whole first answer", async () => {
  const call = {
    body: { name: "Texts", channel: "sms", type: "http", settings: { url: "https://sms.example.com" } },
    headers: { "idempotency-key": "texts" },
  };
  const first = await send("createTransport", call);
  expect(first.body.eventsUrl).toContain(`/t/in/${first.body.id}/`);
  const again = await send("createTransport", call);
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(again.headers).toMatchObject({ etag: first.headers.etag, "cache-control": "no-store" });
});

test.each(["getTransport", "updateTransport", "deleteTransport", "checkTransport"])(
  "%s answers 404 for an unknown id",
  async (operation) => {
    expect((await send(operation, { params: { id: "65f0c0ffee65f0c0ffee0099" } })).status).toBe(404);
  },
);

test("null gives a flag its usual value, and members that a mapping of events does not have are ignored", async () => {
  const settings = { url: "https://push.example.com", events: { map: { type: "kind", colour: "c" }, each: "e" } };
  const flags = { default: null, enabled: null };
  const built = await send("createTransport", {
    body: { name: "Push", channel: "push", type: "http", settings, ...flags },
  });
  const params = { id: String(built.body.id) };
  const view = async () => (await send("getTransport", { params })).body;
  const fallback = { default: false, enabled: true, settings: { events: { map: { type: "kind" } } } };
  expect([built.status, await view()]).toMatchObject([201, fallback]);
  await send("updateTransport", { params, body: { default: true, enabled: false } });
  expect(await view()).toMatchObject({ default: true, enabled: false });
  expect((await send("updateTransport", { params, body: flags })).status).toBe(200);
  expect(await view()).toMatchObject(fallback);
});

test("a kind that does not exist is refused with 422", async () => {
  expect((await send("createTransport", { body: { ...body, type: "pigeon" } })).status).toBe(422);
});

test("a repeat of a call that was refused for a taken name gets the refusal again once the name is free", async () => {
  const call = { body: { ...body, name: "Taken" }, headers: { "idempotency-key": "taken" } };
  const { id } = (await send("createTransport", { body: { ...body, name: "Taken" } })).body;
  const first = await send("createTransport", call);
  expect((await send("deleteTransport", { params: { id: String(id) } })).status).toBe(200);
  const again = await send("createTransport", call);
  expect([first.status, again.status, again.body]).toEqual([422, 422, first.body]);
});

test.each(["no JSON", '{"to": }', ""])("a body without Liquid that is no JSON is refused: %j", async (text) => {
  const settings = { url: "https://sms.example.com", body: text };
  const refused = await send("createTransport", { body: { name: "Body", channel: "sms", type: "http", settings } });
  expect([refused.status, refused.body]).toMatchObject([422, { details: [{ path: "/settings/body" }] }]);
});

test("a transport that is refused lists what is wrong with its members and with its settings", async () => {
  const settings = { url: "ftp://x", body: "{% nothing %}" };
  const wrong = { name: "", channel: "sms", type: "http", default: "yes", settings };
  const paths = async (body: object) =>
    Object((await send("createTransport", { body })).body).details.map(({ path }: { path: string }) => path);
  expect(await paths(wrong)).toEqual(["/name", "/default", "/settings/url", "/settings/body"]);
  expect(await paths({ ...wrong, type: "pigeon" })).toEqual(["/name", "/type", "/default"]);
  const log = { name: "Log", channel: "sms", type: "log", settings: { perSecond: 0 } };
  expect(await paths({ ...log, default: 1 })).toEqual(["/default", "/settings/perSecond"]);
});
