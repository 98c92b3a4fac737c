import { expect, test } from "vitest";
import { serveService } from "../testService.ts";

const { send } = serveService(["jobs"]);

test("a job that was started is listed, shown, and canceled", async () => {
  const { body } = await send("createContactexport", { body: { fields: ["cID"], exportType: "csv" } });
  const params = { id: String(body.jobId) };
  expect(await send("getJob", { params })).toMatchObject({ status: 200, body: { id: body.jobId } });
  expect((await send("listJobs")).status).toBe(200);
  expect(await send("listJobrejections", { params })).toMatchObject({ status: 200, body: { data: [] } });
  expect((await send("cancelJob", { params })).status).toBe(200);
});

test.each(["getJob", "listJobrejections", "cancelJob"])("%s answers 404 for an unknown job", async (operation) => {
  expect((await send(operation, { params: { id: "65f0c0ffee65f0c0ffee0099" } })).status).toBe(404);
});

test("listJobs answers 400 for a name that no job has, with those there are", async () => {
  const { status, body } = await send("listJobs", { query: "?jobName=ExportContact" });
  expect([status, body.code, body.details[0].path]).toEqual([400, "BAD_REQUEST", "/jobName"]);
  expect(body.details[0].allowed).toContain("ExportContacts");
});
