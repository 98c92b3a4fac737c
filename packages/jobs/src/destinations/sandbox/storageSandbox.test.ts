import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createOutbound } from "@headwater/kernel";
import ssh2, { type SFTPWrapper } from "ssh2";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createStorageSandbox, type StorageSandbox } from "./storageSandbox.ts";

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

let storages: StorageSandbox;
const closing: { close(): unknown }[] = [];
beforeAll(() => {
  storages = createStorageSandbox();
});
afterEach(() => {
  for (const server of closing.splice(0)) server.close();
});
afterAll(async () => {
  await storages.close();
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
        const protocol = acceptSftp();
        const stat = (id: number, path: string) => {
          const mode = path === "there" ? 0o040755 : 0o100644;
          const size = path === "there" ? 0 : FILE.length;
          if (!path.startsWith("there")) return protocol.status(id, STATUS_CODE.NO_SUCH_FILE);
          return protocol.attrs(id, { mode, size, uid: 0, gid: 0, atime: 0, mtime: 0 });
        };
        protocol.on("STAT", stat).on("LSTAT", stat);
        protocol.on("OPEN", (id) => protocol.handle(id, Buffer.from("h")));
        protocol.on("READ", (id, _handle, offset, length) => {
          if (offset >= FILE.length) return protocol.status(id, STATUS_CODE.EOF);
          return protocol.data(id, Buffer.from(FILE.slice(offset, offset + length)));
        });
        protocol.on("CLOSE", (id) => protocol.status(id, STATUS_CODE.OK));
      });
    });
  });
  closing.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return portOf(server.address());
}

const connections = new Set<object>();

/** Serves the files of a map, whose folder is `there`, to everybody. */
function serveFiles(files: Map<string, Buffer>): Promise<number> {
  return serveSftp((protocol) => {
    const pathOf = (handle: Buffer) => handle.toString();
    const stat = (id: number, path: string) => {
      const file = files.get(path);
      if (file === undefined && path !== "there") return protocol.status(id, STATUS_CODE.NO_SUCH_FILE);
      const mode = file === undefined ? 0o040755 : 0o100644;
      return protocol.attrs(id, { mode, size: file?.length ?? 0, uid: 0, gid: 0, atime: 0, mtime: 0 });
    };
    const done = (id: number) => protocol.status(id, STATUS_CODE.OK);
    protocol.on("STAT", stat).on("LSTAT", stat);
    protocol.on("FSTAT", (id, handle) => stat(id, pathOf(handle)));
    protocol.on("OPENDIR", (id) => protocol.handle(id, Buffer.from("there")));
    protocol.on("READDIR", (id) => protocol.status(id, STATUS_CODE.EOF));
    protocol.on("OPEN", (id, path, flags) => {
      if (flags & ssh2.utils.sftp.OPEN_MODE.WRITE) files.set(path, Buffer.alloc(0));
      protocol.handle(id, Buffer.from(path));
    });
    protocol.on("WRITE", (id, handle, offset, data) => {
      const before = files.get(pathOf(handle)) ?? Buffer.alloc(0);
      const after = Buffer.alloc(Math.max(before.length, offset + data.length));
      before.copy(after);
      data.copy(after, offset);
      files.set(pathOf(handle), after);
      done(id);
    });
    protocol.on("READ", (id, handle, offset, length) => {
      const file = files.get(pathOf(handle)) ?? Buffer.alloc(0);
      if (offset >= file.length) return protocol.status(id, STATUS_CODE.EOF);
      return protocol.data(id, file.subarray(offset, offset + length));
    });
    protocol.on("RENAME", (id, from, to) => {
      files.set(to, files.get(from) ?? Buffer.alloc(0));
      files.delete(from);
      done(id);
    });
    protocol.on("REMOVE", (id, path) => {
      files.delete(path);
      done(id);
    });
    protocol.on("CLOSE", done).on("FSETSTAT", done).on("SETSTAT", done);
  });
}

/** Serves to everybody answers that belong to no question, as long as somebody listens. */
function serveGarbage(): Promise<number> {
  return serveSftp((protocol) => {
    protocol.on("STAT", () => {
      for (let id = 0; id < 1_000; id += 1) protocol.name(id, [{ filename: "x", longname: "x", attrs: NO_ATTRIBUTES }]);
    });
  });
}

const NO_ATTRIBUTES = { mode: 0, size: 0, uid: 0, gid: 0, atime: 0, mtime: 0 };

async function serveSftp(answer: (protocol: SFTPWrapper) => void): Promise<number> {
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (connection) => {
    connections.add(connection);
    connection.on("close", () => connections.delete(connection));
    connection.on("error", () => undefined);
    connection.on("authentication", (context) => context.accept());
    connection.on("session", (accept) => accept().on("sftp", (open) => answer(open())));
  });
  // Every answer goes out at once, as those of real servers do.
  const listener = createServer({ noDelay: true }, (socket) => void server.injectSocket(socket)).listen(0, "127.0.0.1");
  closing.push(listener);
  await once(listener, "listening");
  return portOf(listener.address());
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

const folders = { folder: "there", fixed: "there" };
const check = (at: ReturnType<typeof target>, signal: AbortSignal) => {
  const { path } = at.storage;
  return storages.destination(at, { folder: path, fixed: path }).check(signal);
};
const soon = () => AbortSignal.timeout(20_000);
const refused = (text: string) => ({
  code: "STORAGE_CONNECTION_ERROR",
  retriable: false,
  publicMessage: expect.stringContaining(text),
});

test("a folder is found and a file's beginning read, and the key of the server is pinned", async () => {
  const port = await serveFolder();
  await check(target(port), soon());
  const head = await storages.readHead(target(port, { path: "there/file" }), 512, soon());
  expect(head.toString()).toBe("x".repeat(512));
  expect(pinned.map((line) => line.slice(0, 17))).toEqual(["127.0.0.1 SHA256:", "127.0.0.1 SHA256:"]);
});

test("a wrong password, a folder that is not there and another key are refused with their reasons", async () => {
  const port = await serveFolder();
  await expect(check(target(port, { password: "q" }), soon())).rejects.toMatchObject(refused("credentials"));
  await expect(check(target(port, { path: "gone" }), soon())).rejects.toMatchObject(refused("does not exist"));
  const other = { ...target(port), hostKeys: { ...hostKeys, pin: async () => "SHA256:other" } };
  await expect(check(other, soon())).rejects.toMatchObject(refused("host key"));
});

test("a server that sends without end is left after 4 MiB, and others are checked at the same time", async () => {
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
    check(target(flooding), soon()),
    check({ ...target(honest), account: 2 }, soon()),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test("a server that says nothing is left when its caller gives up", async () => {
  const silent = await serveBytes(() => undefined);
  const reason = new Error("enough");
  const abort = new AbortController();
  setTimeout(() => abort.abort(reason), 200);
  await expect(check(target(silent), abort.signal)).rejects.toBe(reason);
});

describe("a file", () => {
  const CHUNK = Buffer.alloc(700_000, "abcdefg");
  const CHUNKS = 8;

  test("goes to a server chunk by chunk, comes back whole, and leaves nothing when it is aborted", async () => {
    const files = new Map<string, Buffer>();
    const port = await serveFiles(files);
    const destination = storages.destination(target(port), folders);
    const upload = await destination.open("file.csv", soon());
    for (let chunk = 0; chunk < CHUNKS; chunk += 1) await upload.write(CHUNK);
    await upload.finish();
    expect([...files.keys()]).toEqual(["there/file.csv"]);
    expect(files.get("there/file.csv")?.equals(Buffer.concat(Array(CHUNKS).fill(CHUNK)))).toBe(true);

    const read: Uint8Array[] = [];
    for await (const chunk of storages.readFile(target(port, { path: "there/file.csv" }), soon())) read.push(chunk);
    expect(Buffer.concat(read).equals(Buffer.concat(Array(CHUNKS).fill(CHUNK)))).toBe(true);

    const aborted = await destination.open("other.csv", soon());
    await aborted.write(CHUNK.subarray(0, 100_000));
    await aborted.abort();
    expect([...files.keys()]).toEqual(["there/file.csv"]);
  });

  test("whose reader stops, and whose caller gives up, closes its connection", async () => {
    const files = new Map([["there/file", Buffer.concat(Array(CHUNKS).fill(CHUNK))]]);
    const port = await serveFiles(files);
    for await (const chunk of storages.readFile(target(port, { path: "there/file" }), soon())) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    const abort = new AbortController();
    const upload = await storages.destination(target(port), folders).open("late.csv", abort.signal);
    abort.abort(new Error("enough"));
    await expect(upload.finish()).rejects.toThrow("enough");
    await expect.poll(() => connections.size).toBe(0);
  });

  test("of a server that breaks its protocol ends with a refusal, and not the process that asked", async () => {
    const port = await serveGarbage();
    const read = async () => {
      for await (const _ of storages.readFile(target(port, { path: "there/file" }), soon()));
    };
    await expect(read()).rejects.toMatchObject({ code: "STORAGE_CONNECTION_ERROR" });
    const opened = storages.destination(target(port), folders).open("file.csv", soon());
    await expect(opened).rejects.toMatchObject({ code: "STORAGE_CONNECTION_ERROR" });
    const honest = await serveFolder();
    await check(target(honest), soon());
  });
});

test("a port that nobody listens on fails as a closed port does", async () => {
  const port = await serveBytes(() => undefined);
  closing.pop()?.close();
  await expect(check(target(port), soon())).rejects.toMatchObject({ cause: { message: "ECONNREFUSED" } });
});
