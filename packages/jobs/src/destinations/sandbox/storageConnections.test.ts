import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { Storage } from "@headwater/contracts";
import { createOutbound } from "@headwater/kernel";
import { ByteChunks } from "@headwater/sandbox";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { isReachedAt } from "./storageAddress.ts";
import { StorageConnections } from "./storageConnections.ts";

const outbound = createOutbound({ allow: ["127.0.0.1"] });
const servers: Server[] = [];
let storage: Storage;
let port: number;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  port = await serve((socket) => sockets.push(socket));
  storage = storageAt(port);
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => outbound.close());

async function serve(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onSocket(socket);
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const secrets = { aws_access_key_id: "id", aws_secret_access_key: "secret" } as const;
const aws: Storage = { type: "s3", aws_bucket: "lake", ...secrets };
const storageAt = (at: number): Storage => ({ ...aws, aws_endpoint: `http://127.0.0.1:${at}` });

const open = (receivedBytesMax = Number.POSITIVE_INFINITY) =>
  new StorageConnections({ storage, outbound, receivedBytesMax });

test("bytes go both ways over connections that the process knows by number", async () => {
  const { host } = open();
  const first = Number(await host.connect({ host: "127.0.0.1", port }));
  const second = Number(await host.connect({ host: "127.0.0.1", port }));
  expect(second).not.toBe(first);
  await expect.poll(() => sockets.length).toBe(2);
  expect(await host.send(new ByteChunks([Buffer.from("asked")], first))).toBe(null);
  const [asked] = await Promise.race(sockets.map((socket) => once(socket, "data")));
  expect(String(asked)).toBe("asked");
  for (const socket of sockets) socket.end("answered");
  const answer = await host.receive(second);
  expect(answer instanceof ByteChunks && String(Buffer.concat(answer.chunks))).toBe("answered");
  expect(await host.receive(second)).toBe(null);
});

test("a process reaches no other host than the storage's", async () => {
  let reached = 0;
  const elsewhere = await serve(() => {
    reached += 1;
  });
  const { host } = open();
  expect(await host.connect({ host: "127.0.0.1", port: elsewhere })).toEqual({ code: "OTHER_ADDRESS" });
  expect(await host.connect({ host: "localhost", port })).toEqual({ code: "OTHER_ADDRESS" });
  expect(reached).toBe(0);
});

test("failures of connections have the codes of the system", async () => {
  const { host } = open();
  const connection = Number(await host.connect({ host: "127.0.0.1", port }));
  await expect.poll(() => sockets.length).toBe(1);
  sockets[0]?.resetAndDestroy();
  expect(await host.receive(connection)).toEqual({ code: "ECONNRESET" });
  const closed = await serve(() => undefined);
  servers.pop()?.close();
  storage = storageAt(closed);
  expect(await open().host.connect({ host: "127.0.0.1", port: closed })).toEqual({ code: "ECONNREFUSED" });
  const guarded = createOutbound({ allow: [] });
  const { host: refused } = new StorageConnections({ storage, outbound: guarded, receivedBytesMax: 1 });
  expect(await refused.connect({ host: "127.0.0.1", port: closed })).toEqual({ code: "OUTBOUND_REFUSED" });
  await guarded.close();
});

test("a connection that breaks before anybody reads ends nothing but itself", async () => {
  const { host } = open();
  const connection = Number(await host.connect({ host: "127.0.0.1", port }));
  await expect.poll(() => sockets.length).toBe(1);
  const closed = once(sockets[0] ?? process, "close");
  sockets[0]?.resetAndDestroy();
  await closed;
  await expect
    .poll(() => host.send(new ByteChunks([Buffer.from("x")], connection)))
    .toMatchObject({ code: expect.stringMatching(/^[A-Z_]+$/) });
});

test("a storage that sends more than it may is refused, and nothing is connected any more", async () => {
  const connections = open(4);
  const connection = Number(await connections.host.connect({ host: "127.0.0.1", port }));
  await expect.poll(() => sockets.length).toBe(1);
  sockets[0]?.write("12345");
  expect(await connections.host.receive(connection)).toEqual({ code: "ECONNRESET" });
  expect(() => connections.throwIfRefused()).toThrow("longer than 1 MiB");
  await once(sockets[0] ?? process, "close");
  expect(await connections.host.connect({ host: "127.0.0.1", port })).toMatchObject({ code: expect.any(String) });
});

test("the 17th connection of a task is refused", async () => {
  const { host } = open();
  const connect = () => host.connect({ host: "127.0.0.1", port });
  for (let n = 0; n < 16; n += 1) expect(await connect()).toBeTypeOf("number");
  expect(await connect()).toEqual({ code: "TOO_MANY_CONNECTIONS" });
  await host.close(1);
  expect(await connect()).toBeTypeOf("number");
});

test.each<[Storage, string, number, boolean]>([
  [aws, "lake.s3.eu-central-1.amazonaws.com", 443, true],
  [aws, "s3.cn-north-1.amazonaws.com.cn", 443, true],
  [aws, "s3.us-east-1.amazonaws.com", 80, false],
  [aws, "amazonaws.com.example.org", 443, false],
  [aws, "evilamazonaws.com", 443, false],
  [{ ...aws, aws_endpoint: "https://Minio.example.org/" }, "minio.example.org", 443, true],
  [{ ...aws, aws_endpoint: "https://minio.example.org/" }, "lake.minio.example.org", 443, false],
  [{ ...aws, aws_endpoint: "http://[::1]:9000" }, "::1", 9_000, true],
  [{ type: "azureblob", account: "shop", container: "lake" }, "shop.blob.core.windows.net", 443, true],
  [{ type: "azureblob", account: "shop", container: "lake" }, "other.blob.core.windows.net", 443, false],
  [{ type: "sftp", server: "files.example.org", username: "u", path: "/" }, "files.example.org", 22, true],
  [
    { type: "sftp", server: "files.example.org", username: "u", path: "/", port: 2_222 },
    "files.example.org",
    22,
    false,
  ],
])("%o is reached at %s:%i: %s", (named, host, at, isReached) => {
  expect(isReachedAt(named, { host, port: at })).toBe(isReached);
});
