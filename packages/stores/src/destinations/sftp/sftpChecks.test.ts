import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createOutbound } from "@headwater/kernel";
import ssh2 from "ssh2";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createSftpChecks, type SftpChecks } from "./createSftpChecks.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const pinned: string[] = [];
const hostKeys = {
  pin: async ({ server }: { readonly server: string }, fingerprint: string) => {
    pinned.push(`${server} ${fingerprint}`);
    return fingerprint;
  },
  replace: async () => undefined,
};
const FILE = "x".repeat(5_000);
const { STATUS_CODE } = ssh2.utils.sftp;

let checks: SftpChecks;
const closing: { close(): unknown }[] = [];
beforeAll(() => {
  checks = createSftpChecks();
});
afterEach(() => {
  for (const server of closing.splice(0)) server.close();
});
afterAll(async () => {
  await checks.close();
  await outbound.close();
});

/** Serves a folder `there` and a file `there/file` to the password `p`. */
async function serveFolder(): Promise<number> {
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (connection) => {
    connection.on("error", () => undefined);
    connection.on("authentication", (context) => {
      if (context.method === "password" && context.password === "p") context.accept();
      else context.reject(["password"]);
    });
    connection.on("session", (accept) => {
      accept().on("sftp", (acceptSftp) => {
        const sftp = acceptSftp();
        const stat = (id: number, path: string) => {
          const mode = path === "there" ? 0o040755 : 0o100644;
          const size = path === "there" ? 0 : FILE.length;
          if (!path.startsWith("there")) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
          return sftp.attrs(id, { mode, size, uid: 0, gid: 0, atime: 0, mtime: 0 });
        };
        sftp.on("STAT", stat).on("LSTAT", stat);
        sftp.on("OPEN", (id) => sftp.handle(id, Buffer.from("h")));
        sftp.on("READ", (id, _handle, offset, length) => {
          if (offset >= FILE.length) return sftp.status(id, STATUS_CODE.EOF);
          return sftp.data(id, Buffer.from(FILE.slice(offset, offset + length)));
        });
        sftp.on("CLOSE", (id) => sftp.status(id, STATUS_CODE.OK));
      });
    });
  });
  closing.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return portOf(server.address());
}

async function serveBytes(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onSocket(socket);
  });
  closing.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return portOf(server.address());
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

function target(port: number, more: object = {}) {
  const storage = {
    type: "sftp",
    server: "127.0.0.1",
    port,
    username: "u",
    password: "p",
    path: "there",
    ...more,
  } as const;
  return { account: 1, storage, outbound, hostKeys };
}

const soon = () => AbortSignal.timeout(20_000);
const refused = (text: string) => ({
  code: "STORAGE_CONNECTION_ERROR",
  retriable: false,
  publicMessage: expect.stringContaining(text),
});

test("a folder is found and a file's beginning read, and the key of the server is pinned", async () => {
  const port = await serveFolder();
  await checks.checkFolder(target(port), soon());
  const head = await checks.readHead(target(port, { path: "there/file" }), 512, soon());
  expect(head.toString()).toBe("x".repeat(512));
  expect(pinned.map((line) => line.slice(0, 17))).toEqual(["127.0.0.1 SHA256:", "127.0.0.1 SHA256:"]);
});

test("a wrong password, a folder that is not there and another key are refused with their reasons", async () => {
  const port = await serveFolder();
  await expect(checks.checkFolder(target(port, { password: "q" }), soon())).rejects.toMatchObject(
    refused("credentials"),
  );
  await expect(checks.checkFolder(target(port, { path: "gone" }), soon())).rejects.toMatchObject(
    refused("does not exist"),
  );
  const other = { ...target(port), hostKeys: { ...hostKeys, pin: async () => "SHA256:other" } };
  await expect(checks.checkFolder(other, soon())).rejects.toMatchObject(refused("host key"));
});

test("a server that sends without end is left after a mebibyte, and others are checked beside it", async () => {
  let sent = 0;
  const flooding = await serveBytes((socket) => {
    const chunk = Buffer.from(`${"x".repeat(200)}\r\n`.repeat(300));
    const flood = () => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
    };
    socket.on("drain", flood);
    flood();
  });
  const honest = await serveFolder();
  const outcomes = await Promise.allSettled([
    checks.checkFolder(target(flooding), soon()),
    checks.checkFolder({ ...target(honest), account: 2 }, soon()),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test("a server that says nothing is left when its caller gives up", async () => {
  const silent = await serveBytes(() => undefined);
  const reason = new Error("enough");
  const abort = new AbortController();
  setTimeout(() => abort.abort(reason), 200);
  await expect(checks.checkFolder(target(silent), abort.signal)).rejects.toBe(reason);
});

test("a port that nobody listens on fails as a closed port does", async () => {
  const port = await serveBytes(() => undefined);
  closing.pop()?.close();
  await expect(checks.checkFolder(target(port), soon())).rejects.toMatchObject({ cause: { message: "ECONNREFUSED" } });
});
