import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createZstdCompress } from "node:zlib";
import { isFinalJob } from "@headwater/contracts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type ImportWorld, startImportWorld } from "../../contract/analytics/imports/importWorld.ts";
import { basic } from "../../contract/service/running.ts";
import { startWorker, type WorkerProcess } from "../../destinations/killedWorker.ts";

const { env } = process;
/** Bytes of the long line; FAULTS_LINE_BYTES makes fewer of them, at least 100,000,000 for a bomb. */
const LINE_BYTES = Number(env.FAULTS_LINE_BYTES || 2 * 1024 ** 3);
const CHUNK = Buffer.alloc(1024 * 1024, "x");
const COLUMNS = 10_000;
const WIDE_ROWS = 200;
/** A step holds seventy such rows, with an object for each cell, and what the collector has not come to. */
const WIDE_MEMORY_MIB_MAX = 768;
const MEMORY_MIB_MAX = 256;
const TIMEOUT_MS = 10 * 60_000;

let world: ImportWorld;
let worker: WorkerProcess;
beforeAll(async () => {
  world = await startImportWorld();
});
afterAll(() => world.drop());
beforeEach(() => {
  worker = startWorker({ ...world, settingsKey: Buffer.alloc(32, 7) }, { HEADWATER_JOBS_CONCURRENTLY: "1" });
});
afterEach(() => worker.kill());

/** Uploads what is made on the way. @returns the address of the upload. */
async function upload(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const answer = await fetch(`${world.address}/v2/uploads`, {
    method: "POST",
    headers: { authorization: basic(world.key) },
    body: ReadableStream.from(bytes),
    duplex: "half",
  });
  const { url } = Object(await answer.json());
  expect(answer.status).toBe(201);
  return url;
}

/** Imports products from an upload. @returns the job at its end, and the most memory that its worker held. */
async function imported(bytes: AsyncIterable<Uint8Array>, options: object, memoryMax = MEMORY_MIB_MAX) {
  const path = await upload(bytes);
  const startedAt = performance.now();
  const started = await world.post("productimports", { source: { transport: "file", path }, ...options });
  expect(started).toMatchObject({ status: 202 });
  const { jobId } = started.body;
  const check = async () => (await world.service.call(world.key, `/v2/jobs/${jobId}`)).body;
  let job = await check();
  for (; !isFinalJob(job.status); job = await check()) await sleep(200);
  const memory = worker.memoryMiB();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stderr.write(`${expect.getState().currentTestName}: ${seconds} s, ${memory.toFixed(0)} MiB at most\n`);
  expect(memory).toBeLessThan(memoryMax);
  return { job, jobId };
}

/** A line of so many bytes between others. */
async function* around(before: string, after: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(before);
  for (let bytes = 0; bytes < LINE_BYTES; bytes += CHUNK.length) yield CHUNK;
  yield Buffer.from(after);
}

const text = (...lines: string[]) => lines.join("\n");

test.each([
  ["a cell", text("productID,productName", "one,One", "long,"), text("", "two,Two", ""), { hasHeader: true }],
  ["an open quote", text("productID,productName", "one,One", 'long,"'), text("", "two,Two", ""), { hasHeader: true }],
  [
    "a member",
    text('{"productID":"one","productName":"One"}', '{"productID":"long","productName":"'),
    text('"}', '{"productID":"two","productName":"Two"}', ""),
    {},
  ],
])(
  "a line of 2 GiB in %s is rejected alone, with its place, by a worker of bounded memory",
  async (_what, before, after, options) => {
    const { job, jobId } = await imported(around(before, after), options);
    const { inserted, ignored, ...rest } = job.result;
    // The rows around it are the same in each file: later ones change nothing.
    expect({ status: job.status, written: inserted + ignored, ...rest }).toMatchObject({
      ...{ status: "Done", totalRecords: 3, written: 2, rejected: 1, error: 0 },
    });
    const line = before.split("\n").length;
    expect(await world.rejections(jobId)).toMatchObject([{ index: 1, line }]);
  },
  TIMEOUT_MS,
);

test(
  "a zstd bomb fails with its reason, and its worker holds no more than ever",
  async () => {
    const plain = Readable.from(around("productID,productName\none,", "\n"), { objectMode: false });
    const { job } = await imported(plain.compose(createZstdCompress()), { hasHeader: true });
    expect(job).toMatchObject({
      status: "Failed",
      metadata: { error: { code: "IMPORT_CONFIGURATION_ERROR", message: expect.stringMatching(/grows more than/) } },
    });
  },
  TIMEOUT_MS,
);

test(
  "rows of 10,000 columns are imported by a worker of bounded memory",
  async () => {
    const names = Array.from({ length: COLUMNS }, (_, n) => `properties.c${n}`);
    async function* wide(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`productID,productName,${names.join(",")}\n`);
      for (let row = 0; row < WIDE_ROWS; row++)
        yield Buffer.from(`wide${row},Wide,${names.map((_, n) => n).join(",")}\n`);
    }
    const { job } = await imported(wide(), { hasHeader: true }, WIDE_MEMORY_MIB_MAX);
    expect(job).toMatchObject({ status: "Done", result: { totalRecords: WIDE_ROWS, inserted: WIDE_ROWS, error: 0 } });
  },
  TIMEOUT_MS,
);
