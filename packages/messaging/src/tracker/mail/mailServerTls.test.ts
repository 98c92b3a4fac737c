import { once } from "node:events";
import { connect as connectPlain, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import { createLogger } from "@headwater/kernel";
import { createTestChain, type LeafWanted, type TestChain } from "@headwater/testing";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createMailServer, type MailServer } from "./mailServer.ts";
import type { ArrivedMail } from "./takeMail.ts";

const HOST = "mx.example.org";
const logger = createLogger({ name: "mail", level: "silent" });
let chain: TestChain;
let server: MailServer | undefined;
let sockets: Socket[];
let taken: ArrivedMail[];

beforeAll(async () => {
  chain = await createTestChain();
});
beforeEach(() => {
  [sockets, taken] = [[], []];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server?.stop();
});

async function start(wanted?: LeafWanted): Promise<number> {
  const issued = wanted && (await chain.issue({ hosts: [HOST], ...wanted }));
  server = createMailServer({
    logger,
    ...(issued && { tls: { key: Buffer.from(issued.key), cert: Buffer.from(issued.cert) } }),
    isKnown: (address) => address.startsWith("bounce+"),
    take: async (mail) => {
      taken.push(mail);
      return "taken";
    },
  });
  return server.start({ host: "127.0.0.1", port: 0 });
}

/** Says lines at once and returns the next whole answer; "" once the connection ended. */
async function say(socket: Socket, ...lines: readonly string[]): Promise<string> {
  if (lines.length > 0) socket.write(lines.map((line) => `${line}\r\n`).join(""));
  let text = "";
  while (!/^\d{3}(?: .*)?\r\n/m.test(text)) {
    const [chunk] = await Promise.race([once(socket, "data"), once(socket, "close").then(() => [])]);
    if (chunk === undefined) return "";
    text += String(chunk);
  }
  return text;
}

/** Connects and greets. @returns the connection and what the listener offers. */
async function greet(port: number): Promise<{ readonly socket: Socket; readonly offers: string }> {
  const socket = connectPlain(port, "127.0.0.1");
  socket.on("error", () => undefined);
  sockets.push(socket);
  expect(await say(socket)).toMatch(/^220 /);
  return { socket, offers: await say(socket, "EHLO relay.example.net") };
}

/** Secures a connection as a relay does that knows the root; rejects with the reason for which it does not. */
async function secure(socket: Socket, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const secured = connectTls({ socket, ca: chain.root, servername: HOST, ...options });
  sockets.push(secured);
  await once(secured, "secureConnect");
  secured.on("error", () => undefined);
  return secured;
}

async function startTls(port: number, options?: ConnectionOptions): Promise<TLSSocket> {
  const { socket, offers } = await greet(port);
  expect(offers).toContain("STARTTLS");
  expect(await say(socket, "STARTTLS")).toMatch(/^220 /);
  return secure(socket, options);
}

async function sendMail(socket: Socket): Promise<string> {
  await say(socket, "EHLO relay.example.net");
  await say(socket, "MAIL FROM:<>");
  await say(socket, "RCPT TO:<bounce+a@x.example.org>");
  await say(socket, "DATA");
  return say(socket, "Subject: secret", "", "x", ".");
}

describe("the mail listener with a certificate", () => {
  test("takes mail by STARTTLS from a relay that checks name and chain up to the root", async () => {
    const secured = await startTls(await start({}));
    expect(secured.authorized).toBe(true);
    expect(await sendMail(secured)).toMatch(/^250 /);
    expect(taken).toMatchObject([{ recipients: ["bounce+a@x.example.org"] }]);
  });

  test.each([
    ["that has expired", { isExpired: true }, "CERT_HAS_EXPIRED"],
    ["for another host", { hosts: ["mx.example.com"] }, "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["without its intermediate", { withoutIntermediate: true }, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ] satisfies readonly (readonly [string, LeafWanted, string])[])(
    "%s is refused by a relay that checks it, and taken by one that does not",
    async (_, wanted, code) => {
      const port = await start(wanted);
      await expect(startTls(port)).rejects.toMatchObject({ code });
      const unchecked = await startTls(port, { rejectUnauthorized: false });
      expect(unchecked.authorized).toBe(false);
      expect(await sendMail(unchecked)).toMatch(/^250 /);
      expect(taken).toHaveLength(1);
    },
  );

  test("forgets what came in the clear behind STARTTLS: it cannot be slipped into the encrypted dialogue", async () => {
    const { socket } = await greet(await start({}));
    expect(await say(socket, "STARTTLS", "MAIL FROM:<mallory@example.net>")).toMatch(/^220 [^\r]*\r\n$/);
    const secured = await secure(socket);
    expect(await say(secured, "RCPT TO:<bounce+a@x.example.org>")).toMatch(/^503 /);
    expect(taken).toEqual([]);
  });

  test("offers STARTTLS once, and still takes mail in the clear", async () => {
    const port = await start({});
    const secured = await startTls(port);
    expect(await say(secured, "EHLO relay.example.net")).not.toContain("STARTTLS");
    const { socket } = await greet(port);
    expect(await sendMail(socket)).toMatch(/^250 /);
  });
});

test("a listener without a certificate offers no STARTTLS and refuses it", async () => {
  const { socket, offers } = await greet(await start());
  expect(offers).not.toContain("STARTTLS");
  expect(await say(socket, "STARTTLS")).toMatch(/^50[02] /);
});
