import { toTimestamp } from "@headwater/contracts";
import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const service = serveService(["jobs"]);
const { send } = service;

/** Starts a job that a worker with this clock has taken. */
async function startedAt(ms: number): Promise<{ readonly id: string }> {
  const { body } = await send("createContactexport", { body: { fields: ["cID"], exportType: "csv" } });
  const text = "UPDATE jobs SET status = 'Processing', started_at = $2 WHERE id = $1";
  await service.postgres.execute({ text }, [body.jobId, ms]);
  return { id: String(body.jobId) };
}

test("a job that was started is listed, shown, and canceled", async () => {
  const { body } = await send("createContactexport", { body: { fields: ["cID"], exportType: "csv" } });
  const params = { id: String(body.jobId) };
  expect(await send("getJob", { params })).toMatchObject({ status: 200, body: { id: body.jobId } });
  expect((await send("listJobs")).status).toBe(200);
  expect(await send("listJobrejections", { params })).toMatchObject({ status: 200, body: { data: [] } });
  expect((await send("cancelJob", { params })).status).toBe(200);
});

test("a job never ends before its start, however far ahead the clock of its worker is", async () => {
  const ahead = Date.now() + 60_000;
  const params = await startedAt(ahead);
  expect((await send("cancelJob", { params })).status).toBe(200);
  const { times } = (await send("getJob", { params })).body;
  expect(times).toEqual({ start: toTimestamp(ahead), end: toTimestamp(ahead) });
});

test("an import that is canceled with rows in the log is canceled at once, and says that it counts on", async () => {
  const { body } = await send("createUpload", { body: "email\nada@example.com\n" });
  const source = { transport: "file", path: `upload:${body.uploadId ?? body.id}` };
  const started = await send("createContactimport", { body: { source, hasHeader: true } });
  const params = { id: String(started.body.jobId) };
  const text = `UPDATE jobs SET status = 'Processing', started_at = 1, progress = '{"phase":"rows"}' WHERE id = $1`;
  await service.postgres.execute({ text }, [params.id]);
  expect((await send("cancelJob", { params })).body.status).toBe("Canceled");
  expect((await send("getJob", { params })).body).toMatchObject({ status: "Canceled", metadata: { counting: true } });
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
