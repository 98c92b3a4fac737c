import { generateKeyPairSync } from "node:crypto";
import { createOutbound } from "@headwater/kernel";
import type { SFTPWrapper } from "ssh2";
import ssh2 from "ssh2";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readSource } from "../../sources/openSource.ts";
import { createDestination } from "../createDestination.ts";
import { createStorageSandbox } from "../sandbox/storageSandbox.ts";
import { connectSftp } from "./sftpConnection.ts";
import { findNames } from "./sftpDestination.ts";

const pem = {
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
} as const;
const hostKey = generateKeyPairSync("rsa", { modulusLength: 2_048, ...pem }).privateKey;
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const hostKeys = { pin: async (_: unknown, key: string) => key, replace: async () => undefined };
const storages = createStorageSandbox();
const ports = { account: 1, outbound, hostKeys, storages };
const { STATUS_CODE } = ssh2.utils.sftp;
const FILE_MODE = 0o100_644;
const FOLDER_MODE = 0o040_755;
const handle = Buffer.from("1");
const signal = AbortSignal.timeout(60_000);
const servers: ssh2.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
// Its process has started when a test measures time.
beforeAll(async () => {
  const port = await serve((protocol) => {
    for (const call of ["STAT", "LSTAT"] as const)
      protocol.on(call, (id: number) => protocol.attrs(id, statOf(FOLDER_MODE)));
  });
  await createDestination(storageAt(port), ports).check(signal);
});
afterAll(async () => {
  await storages.close();
  await outbound.close();
});

/** Serves SFTP as a test answers it, after everybody has signed in. */
async function serve(answer: (sftp: SFTPWrapper) => void): Promise<number> {
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (connection) => {
    connection.on("error", () => undefined);
    connection.on("authentication", (sign) => sign.accept());
    connection.on("session", (accept) => accept().on("sftp", (open) => answer(open())));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const storageAt = (port: number, path = "file") =>
  ({ type: "sftp", server: "127.0.0.1", port, username: "u", password: "p", path }) as const;
const failed = (retriable: boolean) => ({ code: "STORAGE_CONNECTION_ERROR", retriable });
const FAST = { bytesPerSecond: 10_000, behindMs: 3_000, bufferedBytesMax: 0 };

function statOf(mode: number) {
  return { mode, uid: 0, gid: 0, size: 1_000_000, atime: 0, mtime: 0 };
}

async function readAll(port: number): Promise<void> {
  const chunks = readSource(storageAt(port), { ...ports, times: FAST }, signal);
  while ((await chunks.next()).done !== true);
}

/** Answers a read with a byte each 20 ms. */
function trickles(sftp: SFTPWrapper): void {
  sftp.on("STAT", (id) => sftp.attrs(id, statOf(FILE_MODE)));
  sftp.on("OPEN", (id) => sftp.handle(id, handle));
  sftp.on("FSTAT", (id) => sftp.attrs(id, statOf(FILE_MODE)));
  sftp.on("READ", (id) => setTimeout(() => sftp.data(id, Buffer.from("x")), 20));
}

describe("sources", () => {
  test("a source that sends a byte at a time is ended, and says why", async () => {
    const port = await serve(trickles);
    const read = readAll(port);
    await expect(read).rejects.toMatchObject({ ...failed(false), publicMessage: expect.stringContaining("too slow") });
  });

  test("a source that answers nothing is tried again, although its connection stands", async () => {
    const port = await serve((sftp) => sftp.on("STAT", () => undefined));
    const read = readAll(port);
    await expect(read).rejects.toMatchObject(failed(true));
  });
});

describe("destinations", () => {
  test("a destination that takes its bytes too slowly is ended, and says why", async () => {
    const port = await serve((sftp) => {
      sftp.on("STAT", (id) => sftp.attrs(id, statOf(FOLDER_MODE)));
      sftp.on("LSTAT", (id) => sftp.attrs(id, statOf(FOLDER_MODE)));
      sftp.on("OPENDIR", (id) => sftp.handle(id, handle));
      sftp.on("READDIR", (id) => sftp.status(id, STATUS_CODE.EOF));
      sftp.on("OPEN", (id) => sftp.handle(id, handle));
      sftp.on("WRITE", (id) => setTimeout(() => sftp.status(id, STATUS_CODE.OK), 200));
      for (const call of ["CLOSE", "REMOVE", "FSETSTAT", "SETSTAT"] as const)
        sftp.on(call, (id: number) => sftp.status(id, STATUS_CODE.OK));
    });
    const times = { ...FAST, bytesPerSecond: 10_000_000 };
    const destination = createDestination(storageAt(port, "folder"), { ...ports, times });
    const upload = await destination.open("file.csv", signal);
    const write = async () => {
      for (let n = 0; n < 100; n++) await upload.write(Buffer.alloc(32_768));
    };
    await expect(write()).rejects.toMatchObject({
      ...failed(false),
      publicMessage: expect.stringContaining("too slow"),
    });
    await upload.abort();
  });

  test("a destination that never opens a file is given up", async () => {
    const port = await serve((sftp) => sftp.on("STAT", () => undefined).on("LSTAT", () => undefined));
    const destination = createDestination(storageAt(port, "folder"), { ...ports, times: { openMs: 300 } });
    await expect(destination.open("file.csv", signal)).rejects.toMatchObject(failed(false));
    await expect(destination.discard("file.csv", signal)).rejects.toMatchObject(failed(false));
  });
});

test.each([1, 0])(
  "a folder that lists names without end is refused, also with %i of them in an answer",
  async (names) => {
    let answers = 0;
    const port = await serve((sftp) => {
      sftp.on("OPENDIR", (id) => sftp.handle(id, handle));
      sftp.on("READDIR", (id) => {
        answers += 1;
        const filename = `name${answers}`;
        sftp.name(
          id,
          Array.from({ length: names }, () => ({ filename, longname: filename, attrs: statOf(FILE_MODE) })),
        );
      });
    });
    const connection = await connectSftp(storageAt(port), ports, signal);
    const found = findNames(connection, { folder: ".", fits: () => true, entriesMax: 10 });
    await expect(found).rejects.toMatchObject({
      ...failed(false),
      publicMessage: expect.stringContaining("100,000 files"),
    });
    expect(answers).toBe(11);
    connection.close();
  },
);
