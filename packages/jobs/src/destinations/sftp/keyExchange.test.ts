import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createOutbound } from "@headwater/kernel";
import type { Connection, ServerConfig } from "ssh2";
import ssh2 from "ssh2";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { connectSftp, HandshakeRate, isBoundedHostKey, isLongUserKey } from "./sftpConnection.ts";

const pem = {
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
} as const;
const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength, ...pem }).privateKey;
const hostKey = rsa(2_048);
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const hostKeys = { pin: async (_: unknown, key: string) => key, replace: async () => undefined };
const servers: ssh2.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => outbound.close());

async function serve(options: Partial<ServerConfig>, onConnection: (connection: Connection) => void): Promise<number> {
  const server = new ssh2.Server({ hostKeys: [hostKey], ...options }, (connection) => {
    connection.on("error", () => undefined);
    onConnection(connection);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return portOf(server.address());
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

function connect(port: number, more: object = {}) {
  const storage = { type: "sftp", server: "127.0.0.1", port, username: "u", password: "p", path: "", ...more } as const;
  return connectSftp(storage, { outbound, hostKeys }, AbortSignal.timeout(20_000));
}

describe("key exchange", () => {
  test("a server is offered neither a group exchange, whose prime it would choose, nor compression", async () => {
    const { promise: offer, resolve } = Promise.withResolvers<string>();
    const server = createServer((socket) => {
      let read = "";
      socket.on("error", () => undefined);
      socket.write("SSH-2.0-law\r\n");
      socket.on("data", (chunk) => {
        read += chunk.toString("latin1");
        if (!read.includes("hmac-sha2")) return;
        resolve(read);
        socket.destroy();
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    await expect(connect(portOf(server.address()))).rejects.toMatchObject({ code: "STORAGE_CONNECTION_ERROR" });
    server.close();
    const offered = await offer;
    expect(offered).toContain("curve25519-sha256");
    expect(offered).not.toMatch(/group-exchange|zlib|group1-/);
  });

  test("a server with a fixed group is connected to", async () => {
    const port = await serve({ algorithms: { kex: ["diffie-hellman-group16-sha512"] } }, (connection) => {
      connection.on("authentication", (sign) => sign.accept());
      connection.on("session", (accept) => accept().on("sftp", (open) => open()));
    });
    const connection = await connect(port);
    connection.close();
  });

  test("a server that exchanges keys again and again is left", async () => {
    let exchanges = 0;
    const port = await serve({}, (connection) => {
      const again = () => {
        exchanges += 1;
        connection.rekey();
      };
      connection.on("handshake", again);
      connection.on("rekey", again);
    });
    await expect(connect(port)).rejects.toMatchObject({ code: "STORAGE_CONNECTION_ERROR", retriable: false });
    expect(exchanges).toBeLessThan(20);
  });
});

test("keys are bounded: a server's at 8,192 bits, an account's at 4,096", () => {
  expect([isBoundedHostKey(Buffer.alloc(1_060)), isBoundedHostKey(Buffer.alloc(1_200))]).toEqual([true, false]);
  expect([isLongUserKey(rsa(4_096)), isLongUserKey(rsa(4_608)), isLongUserKey("no key")]).toEqual([false, true, false]);
});

test("new keys each gigabyte are not too many", () => {
  let nowMs = 0;
  const rate = new HandshakeRate(() => nowMs);
  for (let exchange = 0; exchange < 100; exchange++) {
    expect(rate.isExceeded()).toBe(false);
    nowMs += 10_000;
  }
});
