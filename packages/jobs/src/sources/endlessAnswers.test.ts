import { createServer } from "node:http";
import { createOutbound } from "@headwater/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStorageSandbox } from "../destinations/sandbox/storageSandbox.ts";
import { readSource, type SourceFile } from "./openSource.ts";

const MIB = 1024 * 1024;
/** Bytes that a client would take that collects the answers to three attempts; buffers of the system hold some MiB. */
const TAKEN_BYTES_MAX = 48 * MIB;
const ENDLESS_BYTES = 256 * MIB;
const FILE_BYTES = 16 * MIB;
const chunk = Buffer.from("<a>x</a>".repeat(8 * 1024));
const storages = createStorageSandbox();
const outbound = createOutbound({ allow: ["127.0.0.1"] });
let taken = 0;
let status = 200;
const server = createServer((_request, response) => {
  const length = status === 200 && { "content-length": FILE_BYTES, etag: '"a"' };
  response.writeHead(status, { "content-type": "application/xml", ...length });
  const write = () => {
    while (taken < ENDLESS_BYTES && !response.destroyed) {
      taken += chunk.length;
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.on("drain", write);
  write();
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await storages.close();
  await outbound.close();
});

const sources: Readonly<Record<string, () => SourceFile>> = {
  s3: () => ({
    ...{
      type: "s3",
      aws_bucket: "b",
      aws_path: "x",
      aws_endpoint: `http://127.0.0.1:${port}`,
      aws_region: "us-east-1",
    },
    ...{ aws_access_key_id: "k", aws_secret_access_key: "s" },
  }),
  azureblob: () => ({
    ...{ type: "azureblob", account: "a", container: "c", path: "x", endpoint: `http://127.0.0.1:${port}` },
    accountKey: "a2V5",
  }),
  http: () => ({ type: "http", url: `http://127.0.0.1:${port}/x` }),
};

async function readAll(source: SourceFile): Promise<number> {
  let bytes = 0;
  const hostKeys = { pin: async (_server: object, fingerprint: string) => fingerprint, replace: async () => undefined };
  const ports = { account: 1, outbound, hostKeys, storages };
  for await (const piece of readSource(source, ports, new AbortController().signal)) bytes += piece.length;
  return bytes;
}

const failures = [404, 503].flatMap((code) => Object.keys(sources).map((type) => [code, type] as const));

test.each(failures)("a refusal %i of %s whose body never ends takes no memory", async (code, type) => {
  [taken, status] = [0, code];
  const source = sources[type]?.();
  if (source === undefined) throw new Error(`no source ${type}`);
  await expect(readAll(source)).rejects.toMatchObject({ code: "STORAGE_CONNECTION_ERROR" });
  expect(taken).toBeGreaterThan(0);
  expect(taken).toBeLessThan(TAKEN_BYTES_MAX);
});

test.each(Object.keys(sources))("a file of %s is read whole, however long it is", async (type) => {
  [taken, status] = [ENDLESS_BYTES - FILE_BYTES, 200];
  const source = sources[type]?.();
  if (source === undefined) throw new Error(`no source ${type}`);
  expect(await readAll(source)).toBe(FILE_BYTES);
});
