import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Storage } from "@headwater/contracts";
import { createOutbound } from "@headwater/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSource, type SourceFile } from "../sources/openSource.ts";
import { createDestination } from "./createDestination.ts";
import { createStorageSandbox } from "./sandbox/storageSandbox.ts";

const storages = createStorageSandbox();
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const hostKeys = { pin: async (_: unknown, key: string) => key, replace: async () => undefined };
const BLOCK = Buffer.alloc(64 * 1024, " ");
/** Modules that read what a storage answers. */
const LIBRARIES = /node_modules\/(@aws-sdk|@smithy|@azure|ssh2|fast-xml-parser)/;
/** Longer than the pauses before both of the further attempts. */
const ATTEMPTS_MS = 3_000;
let sent = 0;
let status = 200;
let shortAnswers = 0;
/** Answers every request without end, as fast as it is read, after some answers that have one. */
const server = createServer((request, answer) => {
  request.resume();
  // The end of the connection is the end of the answer.
  answer.useChunkedEncodingByDefault = false;
  answer.writeHead(status, { "content-type": "application/xml" });
  if (shortAnswers > 0) {
    shortAnswers -= 1;
    return void answer.end();
  }
  const write = () => {
    while (!answer.destroyed) {
      sent += BLOCK.length;
      if (!answer.write(BLOCK)) return void answer.once("drain", write);
    }
  };
  write();
});
let endpoint: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  endpoint = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await storages.close();
  await outbound.close();
  server.close();
});

const endless: Record<string, () => Storage> = {
  s3: () => ({
    type: "s3",
    aws_bucket: "lake",
    aws_endpoint: endpoint,
    aws_access_key_id: "id",
    aws_secret_access_key: "secret",
  }),
  azureblob: () => ({ type: "azureblob", account: "lake", container: "lake", accountKey: "c2VjcmV0", endpoint }),
};

test.each(Object.entries(endless))("a storage whose answer has no end is refused: %s", async (_type, storage) => {
  sent = 0;
  const destination = createDestination(storage(), { account: 1, outbound, hostKeys, storages });
  await expect(destination.check(AbortSignal.timeout(20_000))).rejects.toMatchObject({
    code: "STORAGE_CONNECTION_ERROR",
    retriable: false,
    publicMessage: expect.stringContaining("longer than 1 MiB"),
  });
  // Sockets buffer some more.
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});

test.each<SourceFile>([
  { type: "s3", aws_bucket: "lake", aws_access_key_id: "id", aws_secret_access_key: "secret", aws_path: "people.csv" },
  { type: "azureblob", account: "lake", container: "lake", accountKey: "c2VjcmV0", path: "people.csv" },
])("a storage is not asked again after an answer without end in place of a file: $type", async (source) => {
  sent = 0;
  status = 503;
  shortAnswers = 1;
  const address = source.type === "s3" ? { ...source, aws_endpoint: endpoint } : { ...source, endpoint };
  const chunks = readSource(address, { account: 1, outbound, hostKeys, storages }, AbortSignal.timeout(20_000));
  await expect(chunks.next()).rejects.toMatchObject({ publicMessage: expect.stringContaining("longer than 1 MiB") });
  await sleep(ATTEMPTS_MS);
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});

test.each(Object.entries(endless))(
  "a process passes an answer without end on, and has not loaded what reads it: %s",
  async (_type, storage) => {
    sent = 0;
    status = 200;
    const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    const program = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      const { createOutbound } = await import("@headwater/kernel");
      const { createDestination } = await import(${url("createDestination.ts")});
      const { createStorageSandbox } = await import(${url("sandbox/storageSandbox.ts")});
      await import(${url("../sources/openSource.ts")});
      const outbound = createOutbound({ allow: ["127.0.0.1"] });
      const storages = createStorageSandbox();
      const ports = { account: 1, outbound, storages, hostKeys: {} };
      const destination = createDestination(${JSON.stringify(storage())}, ports);
      const refusal = await destination.check(AbortSignal.timeout(20_000)).catch((error) => error.publicMessage);
      await Promise.all([storages.close(), outbound.close()]);
      console.log(JSON.stringify({ refusal, loaded }));
    `;
    const options = { cwd: import.meta.dirname, maxBuffer: 16 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], options);
    const { refusal, loaded } = JSON.parse(stdout);
    expect(refusal).toContain("longer than 1 MiB");
    expect(sent).toBeGreaterThan(0);
    expect(loaded.length).toBeGreaterThan(10);
    expect(loaded.filter((module: string) => LIBRARIES.test(module))).toEqual([]);
  },
);
