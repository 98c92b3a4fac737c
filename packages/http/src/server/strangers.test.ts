import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text as readText } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createAttackedServer } from "./attackedServer.ts";
import type { HttpServer, HttpServerOptions } from "./httpServer.ts";

const servers: HttpServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => server.stop({ timeoutMs: 200 })));
});

async function start(options: Partial<HttpServerOptions> = {}): Promise<number> {
  const server = createAttackedServer(options);
  servers.push(server);
  return server.start({ host: "127.0.0.1", port: 0 });
}

interface Sent {
  readonly path: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly localAddress?: string;
}

/** @returns status and code, or how many bytes the route saw. */
async function post(port: number, { path, body, headers = {}, localAddress }: Sent): Promise<[number, unknown]> {
  const asked = request({
    ...{ host: "127.0.0.1", port, path, method: "POST", agent: false },
    headers: { "content-type": "application/json", ...headers },
    ...(localAddress !== undefined && { localAddress }),
  });
  asked.end(body);
  // A refused body may not be read to its end.
  asked.on("error", () => undefined);
  const [answer] = await once(asked, "response");
  const { code, bytes } = JSON.parse(await readText(answer));
  return [answer.statusCode, code ?? bytes];
}

const KIB = 1024;
const good = { "x-api-key": "good" };
const gzip = { "content-encoding": "gzip" };
const spaces = (bytes: number) => " ".repeat(bytes);
/** Makes a body as large as asked for, with the key where it is put. */
const bodyWith = (key: string, { before = 0, after = 0 } = {}) =>
  `{"a":"${"x".repeat(before)}","account":{"key":"${key}"},"b":"${"y".repeat(after)}"}`;

describe("a body whose caller is not known", () => {
  test.each([
    ["without a key, beyond 16 KiB", "/api/header", {}, spaces(17 * KIB), 401],
    ["with a made-up key, beyond 16 KiB", "/api/header", { "x-api-key": "bad" }, spaces(17 * KIB), 401],
    ["without a signature, beyond 16 KiB", "/api/signed", {}, spaces(17 * KIB), 401],
    ["of nobody, beyond 16 KiB", "/api/anybody", {}, spaces(17 * KIB), 401],
    ["with no key in it, beyond 16 KiB", "/api/body", {}, spaces(17 * KIB), 401],
    ["with a made-up key in it, beyond 16 KiB", "/api/body", {}, bodyWith("bad", { after: 17 * KIB }), 401],
    ["beyond what any body may have", "/api/header", {}, spaces(11 * KIB * KIB), 413],
  ])("%s is refused unread", async (_what, path, headers, body, status) => {
    const port = await start();
    expect((await post(port, { path, headers, body }))[0]).toBe(status);
    const packed = { path, headers: { ...headers, ...gzip }, body: gzipSync(body) };
    expect((await post(port, packed))[0]).toBe(401);
  });

  test("a small body of an unknown caller is read, because what is wrong with it comes first", async () => {
    const port = await start();
    const broken = { path: "/api/header", headers: gzip, body: "no gzip" };
    expect(await post(port, broken)).toEqual([422, "INVALID_JSON_PROVIDED"]);
    expect(await post(port, { path: "/api/body", body: "{" })).toEqual([400, "INVALID_JSON_PROVIDED"]);
    expect(await post(port, { path: "/api/body", body: bodyWith("bad") })).toEqual([401, "AUTHENTICATION_FAILED"]);
    expect(await post(port, { path: "/api/anybody", body: "{}" })).toEqual([200, 2]);
  });

  test("is looked through for its key, compressed or not, at its beginning and after 200 KiB", async () => {
    const port = await start();
    for (const where of [{ after: 3_000_000 }, { before: 200 * KIB, after: 3_000_000 }, { before: 20 * KIB }]) {
      const body = bodyWith("good", where);
      expect(await post(port, { path: "/api/body", body })).toEqual([200, body.length]);
      const packed = { path: "/api/body", body: gzipSync(body), headers: gzip };
      expect(await post(port, packed)).toEqual([200, body.length]);
    }
    const late = bodyWith("good", { before: 300 * KIB });
    expect(await post(port, { path: "/api/body", body: late })).toEqual([401, "AUTHENTICATION_FAILED"]);
  });

  test("is read whole where a header signs it", async () => {
    const port = await start();
    const body = spaces(5_000_000);
    expect(await post(port, { path: "/api/signed", body, headers: { "x-sign": "good" } })).toEqual([200, 5_000_000]);
    expect((await post(port, { path: "/api/signed", body, headers: { "x-sign": "bad" } }))[0]).toBe(401);
  });
});

describe("sockets that announce much and send little", () => {
  /** Announced together they are more than there is memory for, to the last kilobyte of it. */
  const ANNOUNCED = [10_000_000, 1_000_000, 600_000, 100_000];

  /** Sends bodies that are announced large and brought byte by byte. */
  async function dribble(port: number, count: number, head: string, first = ""): Promise<void> {
    for (let n = 0; n < count; n++) {
      const announced = ANNOUNCED[Math.floor((n * ANNOUNCED.length) / count)] ?? 0;
      const length = Math.max(announced, first.length + 100_000);
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => socket.destroy());
      socket.resume();
      socket.write(
        `POST ${head}\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${first}`,
      );
      sockets.push(socket);
    }
    await expect.poll(() => sockets.every(({ connecting }) => !connecting)).toBe(true);
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(" ");
    }, 50);
    sockets[0]?.once("close", () => clearInterval(timer));
  }

  test.each([
    ["with a key that is known", "/api/header HTTP/1.1\r\nX-Api-Key: good", ""],
    ["with a key yet to come", "/api/body HTTP/1.1", ""],
    ["that sent much of it at once", "/api/body HTTP/1.1", spaces(200 * KIB)],
    ["with a signature", "/api/signed HTTP/1.1\r\nX-Sign: bad", spaces(500 * KIB)],
  ])("%s cost an honest client none of its calls", async (_what, head, first) => {
    const port = await start();
    await dribble(port, 300, head, first);
    const body = spaces(2_000_000);
    for (let n = 0; n < 30; n++) {
      expect(await post(port, { path: "/api/header", headers: good, body })).toEqual([200, body.length]);
      const inBody = bodyWith("good", { after: 100_000 });
      expect((await post(port, { path: "/api/body", body: inBody, localAddress: "127.0.0.2" }))[0]).toBe(200);
      const signed = { path: "/api/signed", headers: { "x-sign": "good" }, body, localAddress: "127.0.0.2" };
      expect((await post(port, signed))[0]).toBe(200);
    }
  });

  test("have half of the connections, and never keep another address out", async () => {
    const port = await start({ connectionsMax: 100 });
    await dribble(port, 300, "/api/anybody HTTP/1.1");
    await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBe(250);
    const honest = { path: "/api/anybody", body: "{}", localAddress: "127.0.0.2" };
    expect(await post(port, honest)).toEqual([200, 2]);
  });

  test("are ended when they are too slow, with 408 and a closed connection", async () => {
    const slowClients = { headersTimeoutMs: 300, bodyTimeoutMs: 5_000, windowMs: 300, bytesPerSecondMin: 1_024 };
    const port = await start({ slowClients });
    await dribble(port, 200, "/api/body HTTP/1.1");
    await dribble(port, 50, "/api/header HTTP/1.1\r\nX-Api-Key: good");
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed), { timeout: 5_000 }).toBe(true);
  });
});

test("bombs of gzip by the hundred cost little memory, and an honest client none of its calls", async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "attackedServer.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let seen = { port: 0, most: 0 };
    createInterface({ input: child.stdout }).on("line", (line) => {
      seen = JSON.parse(line);
    });
    await expect.poll(() => seen.port, { timeout: 20_000 }).toBeGreaterThan(0);
    const { port, most: before } = seen;
    const numbers = `${'{"attributes":'.repeat(60)}[${"1,".repeat(5_000_000)}1234567890123456789]${"}".repeat(60)}`;
    const bomb = gzipSync(numbers);
    const attacks = [
      { path: "/api/anybody", headers: gzip },
      { path: "/api/header", headers: gzip },
      { path: "/api/header", headers: { ...gzip, "x-api-key": "bad" } },
      { path: "/api/body", headers: gzip },
      { path: "/api/signed", headers: { ...gzip, "x-sign": "bad" } },
    ];
    const sent = Array.from({ length: 300 }, (_, n) => {
      const { path, headers } = attacks[n % attacks.length] ?? { path: "", headers: {} };
      return post(port, { path, headers: { ...headers }, body: bomb });
    });
    for (let n = 0; n < 10; n++) {
      expect(await post(port, { path: "/api/header", headers: good, body: "{}" })).toEqual([200, 2]);
    }
    const answers = await Promise.all(sent);
    expect(answers.filter(([status]) => ![401, 413, 503].includes(status))).toEqual([]);
    const resolvedAt = seen;
    await expect.poll(() => seen !== resolvedAt).toBe(true);
    expect((seen.most - before) / 1024 / 1024).toBeLessThan(400);
  } finally {
    child.kill();
  }
}, 60_000);
