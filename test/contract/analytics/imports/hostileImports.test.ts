import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { deleteUploadsAbout } from "@headwater/analytics/erasures/uploadsAbout";
import { lanes, versionOf } from "@headwater/contracts";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { bytesOfInts, fileOf, page, simpleFile, thrift } from "@headwater/jobs/sources/parquet/testParquet";
import { readUpload } from "@headwater/jobs/uploads/uploads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sources } from "../../jobs/sandboxes.ts";
import { type ImportWorld, startImportWorld } from "./importWorld.ts";

const PRODUCTS = "productimports";
let world: ImportWorld;
beforeAll(async () => {
  world = await startImportWorld();
});
afterAll(() => world.drop());

/** Definition levels that run on for 2^30 values in a page of three: whoever reads them runs out of memory. */
function endlessLevels(): Buffer {
  const run = Buffer.concat([thrift.varint(2 ** 31), Buffer.from([1])]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(run.length);
  const body = Buffer.concat([length, run, bytesOfInts([1, 2, 3])]);
  return fileOf({ pages: [page({ type: 0, body, values: 3 })], values: 3, isOptional: true });
}

test("an import of a few bytes that claim 1.5e9 values fails at once, with its reason", async () => {
  const job = await world.run(PRODUCTS, simpleFile({ pageValues: 1_500_000_000 }), { hasHeader: undefined });
  const message = expect.stringMatching(/more than \d+ values/);
  expect(job).toMatchObject({ status: "Failed", metadata: { error: { code: "IMPORT_CONFIGURATION_ERROR", message } } });
});

test("an import that ends the process of its source fails once, and another goes on beside it", async () => {
  const [hostile, honest] = await Promise.all([
    world.run(PRODUCTS, endlessLevels(), { hasHeader: undefined }),
    world.run(PRODUCTS, "productID,productName\nn1,One\n", { encoding: "windows-1252" }),
  ]);
  const message = expect.stringMatching(/^The source cannot be read: /);
  expect(hostile).toMatchObject({
    status: "Failed",
    metadata: { error: { code: "IMPORT_CONFIGURATION_ERROR", message } },
  });
  expect(honest).toMatchObject({ status: "Done", result: { inserted: 1 } });
}, 120_000);

test("a row of 20,001 cells, and a line of JSON that nests 100,000 levels, are rejected alone", async () => {
  const wide = `productID,productName\nw1,One\n${",".repeat(20_000)}\nw2,Two\n`;
  const csv = await world.run(PRODUCTS, wide);
  expect(csv).toMatchObject({ status: "Done", result: { inserted: 2, rejected: 1 } });
  const deep = `{"productID":"d1","productName":"One"}\n{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n`;
  const jsonl = await world.run(PRODUCTS, deep);
  expect(jsonl).toMatchObject({ status: "Done", result: { inserted: 1, rejected: 1 } });
  expect(await world.rejections(jsonl.id)).toMatchObject([{ index: 1, message: expect.stringContaining("64 levels") }]);
});

/** A Parquet file that DuckDB writes of a query. */
async function parquetOf(query: string): Promise<Buffer> {
  const path = join(world.folder, `${randomBytes(6).toString("hex")}.parquet`);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return readFileSync(path);
}

test("an erasure deletes uploads that name the person in any form, and those that nobody can read, which its job lists", async () => {
  const address = "erased@person.example";
  const upload = async (bytes: string | Uint8Array) => (await world.upload(bytes)).replace("upload:", "");
  const named = await parquetOf(`SELECT '${address}' AS email FROM range(3)`);
  const others = await parquetOf("SELECT 'bob@x.example' AS email FROM range(3)");
  const about = [
    await upload(`email\n${address}\n`),
    await upload(gzipSync(`email\n${address.toUpperCase()}\n`)),
    await upload(Buffer.from(`\uFEFFemail\n${address}\n`, "utf16le")),
    await upload(named),
    await upload(gzipSync(named)),
  ];
  const unreadable = [
    await upload(named.subarray(0, named.length - 20)),
    await upload(gzipSync(`email\n${address}\n`).subarray(0, 30)),
    await upload(endlessLevels()),
  ];
  const stored = [await upload("email\nbob@x.example\n"), await upload(others), await upload(gzipSync(others))];
  const { id: jobId } = await world.run(PRODUCTS, "productID,productName\nj1,One\n");
  const nowMs = Date.now() + 1_000;
  const version = versionOf(nowMs, { lane: lanes.v2, partition: 0, offset: 0, place: 0 });
  const { account, service, folder } = world;
  const work = {
    ...{ jobId, account, nowMs, signal: new AbortController().signal },
    input: { version, identifiers: [{ name: "email", value: address }] },
  };
  await deleteUploadsAbout(work, { postgres: service.postgres, files: createFileStore({ folder }), sources });
  for (const id of [...about, ...unreadable]) {
    expect([id, await readUpload(service.postgres, account.number, id)]).toEqual([id, undefined]);
    expect(existsSync(join(folder, account.id, id))).toBe(false);
  }
  for (const id of stored) expect(await readUpload(service.postgres, account.number, id)).toMatchObject({ id });
  const { body: job } = await service.call(world.key, `/v2/jobs/${jobId}`);
  // Those of the imports above went as well.
  const listed: string[] = job.metadata.unreadableUploads;
  expect(listed).toEqual(expect.arrayContaining(unreadable));
  expect(listed.filter((id) => [...about, ...stored].includes(id))).toEqual([]);
}, 180_000);
