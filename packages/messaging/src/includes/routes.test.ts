import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService(["includes"]);
const params = { key: "footer-2026" };

test("an include is created, read, listed, changed and deleted", async () => {
  expect((await send("createInclude")).status).toBe(201);
  expect(await send("getInclude", { params })).toMatchObject({ status: 200, body: { name: "Footer" } });
  expect(await send("listIncludes")).toMatchObject({ status: 200, body: { data: [{ key: "footer-2026" }] } });
  expect((await send("updateInclude", { params })).status).toBe(200);
  expect((await send("getInclude", { params })).body).toMatchObject({ description: "Under every message." });
  expect((await send("deleteInclude", { params })).status).toBe(200);
  expect((await send("getInclude", { params })).status).toBe(404);
});

test.each(["getInclude", "updateInclude", "deleteInclude"])("%s answers 404 for an unknown key", async (operation) => {
  expect((await send(operation, { params: { key: "nobody" } })).status).toBe(404);
});

test("content that is no Liquid is refused with 422", async () => {
  expect((await send("createInclude", { body: { key: "broken", content: "{% if %}" } })).status).toBe(422);
});
