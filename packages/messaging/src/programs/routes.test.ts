import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService(["programs"]);
const days = "?start_date=2026-01-01&end_date=2026-01-31";

test("a program is created, read, listed, changed, counted and deleted", async () => {
  const created = await send("createProgram");
  expect(created).toMatchObject({ status: 201, body: { success: true } });
  const params = { id: String(created.body.id) };
  expect(await send("getProgram", { params })).toMatchObject({ status: 200, body: { name: "Spring sale" } });
  expect(await send("listPrograms")).toMatchObject({ status: 200, body: { data: [{ name: "Spring sale" }] } });
  for (const by of ["ct", "createdAt", "name"]) {
    expect((await send("listPrograms", { query: `?sort_by=${by}` })).status).toBe(200);
  }
  expect((await send("updateProgram", { params })).status).toBe(200);
  expect((await send("getProgram", { params })).body).toMatchObject({ name: "Spring sale 2026" });
  expect((await send("getProgramsummary", { params, query: days })).status).toBe(200);
  expect((await send("listProgramstats", { params, query: days })).status).toBe(200);
  expect((await send("deleteProgram", { params })).status).toBe(200);
  expect((await send("getProgram", { params })).status).toBe(404);
});

test.each([
  ["getProgram", ""],
  ["updateProgram", ""],
  ["deleteProgram", ""],
  ["getProgramsummary", days],
  ["listProgramstats", days],
])("%s answers 404 for an unknown id", async (operation, query) => {
  expect((await send(operation, { params: { id: "65f0c0ffee65f0c0ffee0099" }, query })).status).toBe(404);
});

test("members that a program does not have are ignored", async () => {
  const body = { name: "Autumn", messages: { tags: ["autumn"], names: ["a"] }, orchestrations: { keys: ["b"] } };
  const { status, body: written } = await send("createProgram", { body });
  const { body: view } = await send("getProgram", { params: { id: String(written.id) } });
  expect([status, view.messages, view.orchestrations]).toEqual([201, { tags: ["autumn"] }, {}]);
});

test("a program without messages is refused with 422", async () => {
  expect((await send("createProgram", { body: { name: "Nothing" } })).status).toBe(422);
});

test("members of a program that are unknown are passed over", async () => {
  const messages = { tags: ["spring"], color: "green" };
  const created = await send("createProgram", {
    body: { name: "Spring", messages, orchestrations: { ids: ["o"], x: 1 }, y: 2 },
  });
  expect(created.status).toBe(201);
  const { body } = await send("getProgram", { params: { id: String(created.body.id) } });
  expect(body).toMatchObject({ messages: { tags: ["spring"] }, orchestrations: { ids: ["o"] } });
  expect(body.messages).not.toHaveProperty("color");
});
