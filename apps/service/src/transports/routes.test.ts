import { expect, test } from "vitest";
import { serveService } from "../testService.ts";

const { send } = serveService(["transports"], { resolveTxt: async () => [] });
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

test.each(["getTransport", "updateTransport", "deleteTransport", "checkTransport"])(
  "%s answers 404 for an unknown id",
  async (operation) => {
    expect((await send(operation, { params: { id: "65f0c0ffee65f0c0ffee0099" } })).status).toBe(404);
  },
);

test("a kind that does not exist is refused with 422", async () => {
  expect((await send("createTransport", { body: { ...body, type: "pigeon" } })).status).toBe(422);
});
