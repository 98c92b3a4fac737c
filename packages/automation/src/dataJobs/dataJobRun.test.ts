import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { removeRunFiles } from "@headwater/analytics/erasures/exportedFiles";
import { versionOf } from "@headwater/contracts";
import { createStorageSandbox } from "@headwater/jobs/destinations/sandbox/storageSandbox";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { createJobQueue } from "@headwater/jobs/queue/jobQueue";
import { runJob } from "@headwater/jobs/runner/runJob";
import { createSourceReader } from "@headwater/jobs/sources/createSourceReader";
import { createLogger, createOutbound, createSealer, systemClock } from "@headwater/kernel";
import { serveService } from "@headwater/service/testService";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMapper } from "./createMapper.ts";
import { createDataJobRun } from "./dataJobRun.ts";
import { stepRecurringRuns } from "./recurringRuns.ts";

const ROWS = [
  { id: "p1", name: "Heart", size: "S" },
  { id: "p2", name: "Cake stand", size: "XL" },
  { name: "Nameless" },
];
const server = createServer((request, answer) => {
  const { pathname } = new URL(request.url ?? "/", "http://x");
  if (pathname === "/rows.json") return answer.end(JSON.stringify(ROWS));
  if (pathname === "/rows.csv") return answer.end("id,name,size\np3,Teapot,L\n");
  return answer.writeHead(404).end();
});
const folder = mkdtempSync(join(tmpdir(), "headwater-datajobs-"));
const files = createFileStore({ folder });
const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
const sealer = createSealer([Buffer.alloc(32, 7)]);
const [mapper, sources, storages] = [createMapper(), createSourceReader(), createStorageSandbox()];
const service = serveService([], { files, outbound, sealer, mapper, storages });
const { send } = service;
let base: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterAll(async () => {
  await Promise.all([mapper.close(), sources.close(), storages.close(), outbound.close()]);
  rmSync(folder, { recursive: true, force: true });
  server.close();
});

const away = () => Promise.reject(new Error("this test has no such store"));

const noRows = () => {
  throw new Error("this test has no such store");
};

/** Works a job off as the worker does; its target needs no log. */
async function work(jobId: string) {
  const { postgres } = service;
  const kind = createDataJobRun({ mapper });
  const leave = async () => undefined;
  const queue = { add: leave, giveBack: leave, hasRoom: async () => true, isOthersTurn: async () => false };
  const stores = {
    clickhouse: { query: away, insertBlock: away, command: away, ping: away, close: leave },
    bulk: { run: away, read: noRows, command: away, close: leave },
  };
  const runner = {
    ...{ postgres, files, sources, storages, outbound, sealer, queue, sinkSettleMs: 0, clock: systemClock },
    ...{ producer: { append: away }, highWatermarks: async () => [], kinds: new Map([[kind.jobName, kind]]) },
    ...{ logger: createLogger({ name: "test", level: "silent" }), onEnd: () => undefined },
    account: (number: number) => findAccountByNumber(postgres, number),
  };
  await runJob({ ...runner, ...stores }, jobId, new AbortController().signal);
  return (await send("getJob", { params: { id: jobId } })).body;
}

const mapping = {
  to: {
    productID: "=id",
    productName: "=name",
    "attr.size": { value: "=size", map: { S: "small" }, default: "other" },
  },
};
const get = async (key: string) => (await send("getDatajob", { params: { key } })).body;

function create(key: string, more: object) {
  const body = { key, name: key, kind: "oneTime", apiTrigger: true, mapping, target: { type: "products" }, ...more };
  return send("createDatajob", { body });
}

async function run(key: string) {
  const started = await send("triggerDatajob", { params: { key } });
  const job = await work(started.body.jobIds[0]);
  return { job, stats: (await send("getDatajobstats", { params: { dabId: started.body.dabID } })).body };
}

test("a run reads an array of JSON or columns behind a link, and its numbers are those of its records", async () => {
  const url = `${base}/rows.json?signature=hidden`;
  expect((await create("linked", { source: { transport: "http", url } })).status).toBe(201);
  const { job, stats } = await run("linked");
  expect(job).toMatchObject({ jobName: "DataAutomationProcessList", status: "Done", metadata: { dataJob: "linked" } });
  expect(stats.stats).toEqual({
    ...{ total_queued: 3, total_processed: 3, total_failures: 1, total_successful: 2, total_exported: 0 },
  });
  const rejections = await send("listJobrejections", { params: { id: job.id } });
  expect(rejections.body.data).toMatchObject([{ index: 2, line: 3, path: "/productID" }]);
  const again = await run("linked");
  expect(again.job.result).toMatchObject({ inserted: 0, ignored: 2, rejected: 1 });
  expect((await create("columns", { source: { transport: "http", url: `${base}/rows.csv` } })).status).toBe(201);
  expect((await run("columns")).stats.stats).toMatchObject({ total_successful: 1, total_failures: 0 });
});

test("secrets of a source are sealed, never shown, and stay where they are written back", async () => {
  const { source } = await get("linked");
  expect(source).toEqual({ transport: "http", url: { set: true, last4: "dden" } });
  const text = "SELECT source FROM data_jobs UNION ALL SELECT secrets FROM jobs UNION ALL SELECT input::text FROM jobs";
  expect(JSON.stringify(await service.postgres.query({ text }, []))).not.toContain("hidden");
  const update = (body: object) => send("updateDatajob", { params: { key: "linked" }, body });
  expect((await update({ source, name: "Renamed" })).status).toBe(200);
  expect((await run("linked")).job.status).toBe("Done");
  for (const other of [
    { ...source, url: { set: true, last4: "none" } },
    { ...source, transport: "https" },
  ]) {
    expect((await update({ source: other })).body).toMatchObject({ code: "IMPORT_CONFIGURATION_ERROR" });
  }
});

test("a source that does not answer, or is a private address, is refused when it is written", async () => {
  for (const url of [`${base}/none`, "http://169.254.169.254/latest"]) {
    const refused = await create("gone", { source: { transport: "http", url } });
    expect(refused).toMatchObject({ status: 422, body: { code: "STORAGE_CONNECTION_ERROR" } });
  }
  expect((await send("getDatajob", { params: { key: "gone" } })).status).toBe(404);
});

test("a recurring data job reads no upload, and writes files at its tick", async () => {
  const recurring = { kind: "recurring", schedule: { cron: "*/5 * * * *", timezone: "Europe/Berlin" } };
  const uploaded = (await send("createUpload", { body: "{}" })).body;
  const upload = { transport: "file", path: uploaded.url };
  expect((await create("ticking", { ...recurring, source: upload })).body.details).toMatchObject([
    { path: "/source/transport", code: "not_allowed" },
  ]);
  const source = { transport: "http", url: `${base}/rows.json` };
  const to = { target: { type: "export" }, mapping: { when: "=id", to: { id: "=id" } } };
  expect((await create("ticking", { ...recurring, ...to, source })).status).toBe(201);
  const clock = { ...systemClock, nowMs: () => Date.now() + 300_000, refresh: async () => undefined };
  await stepRecurringRuns({ postgres: service.postgres, queue: createJobQueue(), clock });
  const { body: runs } = await send("listDatajobruns", { params: { key: "ticking" } });
  expect(runs.data).toMatchObject([{ status: "pending" }]);
  const done = await work(runs.data[0].jobId);
  expect(done).toMatchObject({ status: "Done", metadata: { files: [{ rows: 2 }], runMarker: runs.runs[0] } });
  expect(await textOf(done.metadata.files[0])).toBe('{"id":"p1"}\n{"id":"p2"}\n');
  expect(await get("ticking")).toMatchObject({ status: "completed", lastRunMarker: runs.runs[0] });
});

test("an erasure deletes the stored files of runs that name the person", async () => {
  const [latest] = (await send("listDatajobruns", { params: { key: "ticking" } })).body.data;
  const { account, postgres } = service;
  const erase = (value: string) => {
    const input = {
      version: versionOf(Date.now(), { lane: 1, partition: 0, offset: 0, place: 0 }),
      identifiers: [{ name: "email", value }],
    };
    const erasing = { jobId: "e".repeat(24), account, input, nowMs: Date.now(), signal: new AbortController().signal };
    return removeRunFiles(erasing, { files, postgres, sources });
  };
  const filesOf = async () => (await send("getJob", { params: { id: latest.jobId } })).body.metadata.files;
  await erase("nobody@example.com");
  const [file] = await filesOf();
  expect(file).not.toHaveProperty("erased");
  await erase("p1");
  expect(await filesOf()).toMatchObject([{ erased: true }]);
  await expect(textOf(file)).rejects.toMatchObject({ code: "ENOENT" });
});

async function textOf({ id, bytes }: { readonly id: string; readonly bytes: number }): Promise<string> {
  const chunks: Buffer[] = [];
  const range = { start: 0, end: bytes - 1 };
  for await (const chunk of files.read({ accountId: service.account.id, id }, range)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
