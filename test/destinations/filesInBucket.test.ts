import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileStore } from "@headwater/jobs/files/fileStore";
import { filesEnvironment, openFileStore } from "@headwater/jobs/files/filesEnvironment";
import { createOperatorsOutbound } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { seedAnalytics } from "../contract/analytics/analyticsWorld.ts";
import { workOff } from "../contract/jobs/workOff.ts";
import { type Running, startService } from "../contract/service/running.ts";
import { type StorageWorld, worlds } from "./storageServers.ts";

const folder = mkdtempSync(join(tmpdir(), "headwater-bucket-"));
const outbound = createOperatorsOutbound();
let bucket: StorageWorld;
let store: FileStore;
let service: Running;
beforeAll(async () => {
  bucket = await worlds.s3();
  const { storage } = bucket;
  if (storage.type !== "s3") throw new Error("the world is a bucket's");
  const secretFile = join(folder, "secret");
  writeFileSync(secretFile, `${storage.aws_secret_access_key}\n`);
  const environment = {
    HEADWATER_FILES_BUCKET: storage.aws_bucket,
    HEADWATER_FILES_PREFIX: "exports",
    HEADWATER_FILES_ENDPOINT: storage.aws_endpoint,
    HEADWATER_FILES_ACCESS_KEY_ID: storage.aws_access_key_id,
    HEADWATER_FILES_SECRET_FILE: secretFile,
  };
  store = await openFileStore(z.object(filesEnvironment).parse(environment), outbound);
  service = await startService({ files: store });
});
afterAll(async () => {
  await Promise.all([service.stop(), bucket.stop(), outbound.close()]);
  rmSync(folder, { recursive: true });
});

const key = { accountId: "a".repeat(24), id: "b".repeat(24) };
const NAME = `${key.accountId}/${key.id}`;

async function* chunks(...parts: string[]) {
  yield* parts;
}
async function textOf(range: { readonly start: number; readonly end: number }): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of store.read(key, range)) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe("a store of files in a bucket", () => {
  test("has a file whole, with its checksum, and reads parts of it", async () => {
    expect(await store.write(key, chunks("héllo ", "world"))).toEqual({
      bytes: 12,
      sha256: "27c965a4110f97162bc6c0d4a35857c3165747e656b88b14d45469a148390a75",
    });
    expect(await textOf({ start: 0, end: 11 })).toBe("héllo world");
    expect(await textOf({ start: 7, end: 9 })).toBe("wor");
    await store.write(key, chunks(""));
    expect(await textOf({ start: 0, end: -1 })).toBe("");
  });

  test("keeps the former file of a write that breaks off, and loses a file that is removed", async () => {
    await store.write(key, chunks("first"));
    const breaking = async function* () {
      yield "x".repeat(20 * 1024 * 1024);
      throw new Error("broke off");
    };
    await expect(store.write(key, breaking())).rejects.toThrow("broke off");
    expect((await bucket.files()).get(NAME)?.toString()).toBe("first");
    expect(await bucket.unfinished()).toBe(0);
    await store.remove(key);
    await store.remove(key);
    expect((await bucket.files()).has(NAME)).toBe(false);
  });

  test("takes no file any more from a writer that another one has replaced", async () => {
    const sleeper = await store.open(key);
    await sleeper.write(Buffer.alloc(17 * 1024 * 1024));
    const other = await store.open(key);
    await other.write(Buffer.from("newer"));
    await other.finish();
    await expect(sleeper.finish()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await sleeper.abort();
    expect((await bucket.files()).get(NAME)?.toString()).toBe("newer");
    expect(await bucket.unfinished()).toBe(0);
  });

  test("a name is no path", async () => {
    await expect(store.write({ ...key, id: "../../etc/passwd" }, chunks("x"))).rejects.toThrow(RangeError);
  });

  test("is where exports are kept and downloaded from, whole or in part", async () => {
    const { account } = await service.account();
    await seedAnalytics(service, account, 0);
    const apiKey = await service.key(account, { scopes: ["read", "write", "admin"] });
    const body = { fields: ["cID"], exportType: "csv" };
    const started = await service.call(apiKey, "/v2/contactexports", { method: "POST", body });
    await workOff(service, started.body.jobId, store);
    const job = async () => (await service.call(apiKey, `/v2/jobs/${started.body.jobId}`)).body;
    await expect.poll(job).toMatchObject({ status: "Done" });
    const [file] = (await job()).metadata.files;
    const whole = await service.call(undefined, file.url);
    expect(whole).toMatchObject({ status: 200, headers: { "content-length": String(file.bytes) } });
    const part = await service.call(undefined, file.url, { headers: { range: "bytes=1-3" } });
    expect(part).toMatchObject({ status: 206, text: whole.text.slice(1, 4) });
    expect((await bucket.files()).get(`${account.id}/${file.id}`)?.toString()).toBe(whole.text);
  });
});
