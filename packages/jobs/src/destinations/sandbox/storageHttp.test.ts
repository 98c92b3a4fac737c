import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "@headwater/contracts";
import { createOutbound } from "@headwater/kernel";
import { createTestCertificate } from "@headwater/testing";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createStorageSandbox, type StorageSandbox } from "./storageSandbox.ts";

const MIB = 1024 * 1024;
const file = randomBytes(3 * MIB);
const folder = mkdtempSync(join(tmpdir(), "headwater-storages-"));
const authority = join(folder, "authority.pem");
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const hostKeys = { pin: async (_: unknown, key: string) => key, replace: async () => undefined };
const servers: Server[] = [];
const sandboxes: StorageSandbox[] = [];
let secure: Server;

beforeAll(async () => {
  const { key, cert } = await createTestCertificate();
  writeFileSync(authority, cert);
  secure = createTlsServer({ key, cert }, (_request, answer) => {
    answer.writeHead(200, { "content-length": file.length, etag: '"1"' }).end(file);
  });
  await listening(secure);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(sandboxes.splice(0).map((sandbox) => sandbox.close()));
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => {
  secure.close();
  await outbound.close();
  rmSync(folder, { recursive: true });
});

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return portOf(server);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const storages: Record<string, (endpoint: string) => Storage> = {
  s3: (aws_endpoint) => ({
    ...{ type: "s3", aws_bucket: "lake", aws_path: "people.csv", aws_endpoint },
    ...{ aws_access_key_id: "id", aws_secret_access_key: "secret" },
  }),
  azureblob: (endpoint) => ({
    ...{ type: "azureblob", account: "lake", container: "lake", path: "people.csv", accountKey: "c2VjcmV0", endpoint },
  }),
};

async function read(storage: Storage): Promise<Buffer> {
  const sandbox = createStorageSandbox();
  sandboxes.push(sandbox);
  const chunks: Uint8Array[] = [];
  const target = { account: 1, storage, outbound, hostKeys };
  for await (const chunk of sandbox.readFile(target, AbortSignal.timeout(20_000))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const refused = (text: string) => ({
  code: "STORAGE_CONNECTION_ERROR",
  retriable: false,
  publicMessage: expect.stringContaining(text),
});

test.each(Object.keys(storages))("%s is called over TLS, and the operator's authorities are trusted", async (type) => {
  const storage = storages[type]?.(`https://127.0.0.1:${portOf(secure)}`);
  if (storage === undefined) throw new Error(`no storage ${type}`);
  vi.stubEnv("NODE_EXTRA_CA_CERTS", authority);
  expect((await read(storage)).equals(file)).toBe(true);
  vi.stubEnv("NODE_EXTRA_CA_CERTS", undefined);
  await expect(read(storage)).rejects.toMatchObject(refused("certificate"));
});

test.each(Object.keys(storages))("%s leads to no other host by a redirect", async (type) => {
  let reached = 0;
  const other = createServer((_request, answer) => {
    reached += 1;
    answer.end(file);
  });
  servers.push(other);
  const location = `http://127.0.0.1:${await listening(other)}/people.csv`;
  const redirecting = createServer((_request, answer) => answer.writeHead(307, { location }).end());
  servers.push(redirecting);
  const storage = storages[type]?.(`http://127.0.0.1:${await listening(redirecting)}`);
  if (storage === undefined) throw new Error(`no storage ${type}`);
  await expect(read(storage)).rejects.toMatchObject(refused("refused the request"));
  expect(reached).toBe(0);
});
