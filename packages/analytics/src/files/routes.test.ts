import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertFile } from "@headwater/jobs/files/fileRows";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { serveService } from "@headwater/service/testService";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "headwater-files-"));
afterAll(() => rmSync(folder, { recursive: true }));
const files = createFileStore({ folder });
const service = serveService(["files"], { files });
const { send } = service;
const id = "65f0c0ffee65f0c0ffee0007";

/** Writes a file and its row, as a job does. */
async function write(text: string) {
  const { account, postgres } = service;
  const job = String((await send("createContactexport")).body.jobId);
  const written = await files.write({ accountId: account.id, id }, linesOf(text));
  const about = { account: account.number, job, name: "people.csv", contentType: "text/csv", createdAt: 1 };
  await insertFile(postgres, { id, ...about, manifest: {}, ...written });
}

async function* linesOf(text: string) {
  yield text;
}

test("a file is sent whole, and in part", async () => {
  await write("email\nada@example.com\n");
  expect(await send("getFile", { params: { id } })).toMatchObject({ status: 200, headers: { "content-length": "22" } });
  expect(await send("getFile", { params: { id }, headers: { range: "bytes=0-4" } })).toMatchObject({
    status: 206,
    headers: { "content-range": "bytes 0-4/22" },
  });
  expect((await send("getFile", { params: { id }, headers: { range: "bytes=99-" } })).status).toBe(416);
});

test("getFile answers 404 for an unknown id", async () => {
  expect((await send("getFile", { params: { id: "65f0c0ffee65f0c0ffee0099" } })).status).toBe(404);
});
