import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const service = serveService(["audiences"]);
const { send } = service;
const everybody = { field: "channels.email.address", op: "exists" };

test("an audience is saved, read, listed, changed and deleted", async () => {
  const body = { key: "reached", name: "Reached by mail", criteria: everybody };
  expect(await send("createAudience", { body })).toMatchObject({ status: 201, body: { key: "reached" } });
  const params = { key: "reached" };
  expect(await send("getAudience", { params })).toMatchObject({ status: 200, body: { criteria: everybody } });
  expect(await send("listAudiences")).toMatchObject({ status: 200, body: { data: [{ key: "reached" }] } });
  for (const by of ["ct", "createdAt", "key"]) {
    expect((await send("listAudiences", { query: `?sort_by=${by}` })).status).toBe(200);
  }
  expect((await send("updateAudience", { params, body: { name: "Everybody" } })).status).toBe(200);
  expect((await send("getAudience", { params })).body).toMatchObject({ name: "Everybody", criteria: everybody });
  expect(await send("deleteAudience", { params })).toMatchObject({ status: 200, body: { success: true } });
  expect((await send("getAudience", { params })).status).toBe(404);
});

test.each(["getAudience", "updateAudience", "deleteAudience"])(
  "%s answers 404 for an unknown key",
  async (operation) => {
    expect(
      (
        await send(operation, {
          params: { key: "nobody" },
          ...(operation === "updateAudience" && { body: { name: "n" } }),
        })
      ).status,
    ).toBe(404);
  },
);

test("countAudience answers what ClickHouse counts, and 404 for an audience that nobody saved", async () => {
  service.rows = (sql) => (/count/i.test(sql) ? [{ count: 3, contacts: [], sample: [] }] : []);
  expect(await send("countAudience", { body: everybody })).toMatchObject({ status: 200, body: { count: 3 } });
  expect((await send("countAudience", { body: { key: "nobody" } })).status).toBe(404);
  service.rows = () => [];
});

test.each([
  [{ key: "odd", name: "n", criteria: {} }],
  [{ key: "odd", name: "n", criteria: { field: "channels.email.address", op: "near" } }],
])("createAudience refuses %j with 422", async (body) => {
  expect((await send("createAudience", { body })).status).toBe(422);
});
