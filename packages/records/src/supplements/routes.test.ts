import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService(["supplements"]);

test("a table is created, read, listed, changed, cleared and deleted", async () => {
  expect((await send("createSupplement")).status).toBe(201);
  const params = { key: "cars" };
  expect(await send("getSupplement", { params })).toMatchObject({ status: 200, body: { name: "Cars" } });
  expect(await send("listSupplements")).toMatchObject({ status: 200 });
  expect((await send("updateSupplement", { params, body: { name: "All cars" } })).status).toBe(200);
  expect((await send("getSupplement", { params })).body).toMatchObject({ name: "All cars" });
  expect((await send("clearSupplement", { params })).status).toBe(200);
  expect((await send("deleteSupplement", { params })).status).toBe(200);
  expect((await send("getSupplement", { params })).status).toBe(404);
});

test("a record is created, read, listed, changed and deleted", async () => {
  await send("createSupplement", {
    body: { key: "boats", name: "Boats", indexes: [{ field: "model", type: "string" }] },
  });
  const params = { key: "boats", id: "boat-1" };
  const body = { id: "boat-1", model: "A", year: 2019 };
  expect(await send("createSupplementrecord", { params, body })).toMatchObject({ status: 201, body: { id: "boat-1" } });
  expect(await send("getSupplementrecord", { params })).toMatchObject({ status: 200, body: { year: 2019 } });
  expect(await send("listSupplementrecords", { params, query: "?model=A" })).toMatchObject({
    status: 200,
    body: { data: [{ id: "boat-1" }] },
  });
  expect((await send("updateSupplementrecord", { params, body: { year: 2020 } })).status).toBe(200);
  expect((await send("getSupplementrecord", { params })).body).toMatchObject({ model: "A", year: 2020 });
  expect((await send("deleteSupplementrecord", { params })).status).toBe(200);
  expect((await send("getSupplementrecord", { params })).status).toBe(404);
});

test.each([
  "getSupplement",
  "updateSupplement",
  "deleteSupplement",
  "clearSupplement",
  "listSupplementrecords",
  "createSupplementrecord",
  "getSupplementrecord",
  "updateSupplementrecord",
  "deleteSupplementrecord",
])("%s answers 404 for an unknown table", async (operation) => {
  expect((await send(operation, { params: { key: "nobody", id: "none" } })).status).toBe(404);
});

test.each([["updateSupplementrecord"], ["deleteSupplementrecord"]])(
  "%s answers 404 for an unknown record",
  async (operation) => {
    await send("createSupplement", { body: { key: "planes", name: "Planes" } });
    expect((await send(operation, { params: { key: "planes", id: "none" }, body: {} })).status).toBe(404);
  },
);

test("a table keeps its key and a record its id", async () => {
  await send("createSupplement", { body: { key: "trains", name: "Trains", indexes: [] } });
  const params = { key: "trains", id: "train-1" };
  await send("createSupplementrecord", { params, body: { id: "train-1", year: 2019 } });
  expect(await send("updateSupplement", { params, body: { key: "cars", name: "Cars" } })).toMatchObject({
    status: 422,
    body: { code: "VALIDATION_ERROR", details: [{ path: "/key", code: "not_allowed" }] },
  });
  expect(await send("updateSupplementrecord", { params, body: { id: "train-2", year: 2020 } })).toMatchObject({
    status: 422,
    body: { code: "VALIDATION_ERROR", details: [{ path: "/id", code: "not_allowed" }] },
  });
  expect((await send("updateSupplement", { params, body: { key: "trains" } })).status).toBe(200);
  expect((await send("updateSupplementrecord", { params, body: { id: "train-1", year: 2021 } })).status).toBe(200);
  expect((await send("getSupplementrecord", { params })).body).toMatchObject({ id: "train-1", year: 2021 });
});
