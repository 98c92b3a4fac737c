import { once } from "node:events";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { type ConnectionOptions, connect, createServer as createTlsServer } from "node:tls";
import { createLogger, createMetrics } from "@headwater/kernel";
import { createTestCertificate, type TestCertificate } from "@headwater/testing";

import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HttpServer, HttpServerOptions } from "./httpServer.ts";
import { authorization, createTestServer } from "./testServer.ts";

let first: TestCertificate;
let second: TestCertificate;
let folder: string;
let files: { keyFile: string; certFile: string; checkEveryMs: number };
const servers: HttpServer[] = [];
const agents: Agent[] = [];

beforeAll(async () => {
  [first, second] = await Promise.all([createTestCertificate(), createTestCertificate()]);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "headwater-tls-"));
  files = { keyFile: join(folder, "key.pem"), certFile: join(folder, "cert.pem"), checkEveryMs: 20 };
  await writeFile(files.keyFile, first.key);
  await writeFile(files.certFile, first.cert);
});
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy();
  await Promise.all(servers.splice(0).map((server) => server.stop({ timeoutMs: 200 })));
  await rm(folder, { recursive: true });
});

async function start(options: Partial<HttpServerOptions> = {}): Promise<number> {
  const server = createTestServer({ plainHttp: "refuse", tls: files, ...options });
  servers.push(server);
  return server.start({ host: "127.0.0.1", port: 0 });
}

/** One request on the connection of `agent`. @returns status, body and the port it came from: a connection's mark. */
async function ask(port: number, agent: Agent, headers: Record<string, string> = {}) {
  const asked = request({
    host: "127.0.0.1",
    port,
    path: "/v2/things/a",
    agent,
    headers: { authorization, ...headers },
  });
  asked.end();
  const [answer] = await once(asked, "response");
  return { status: answer.statusCode, body: await readText(answer), from: asked.socket?.localPort };
}

function trusting({ cert }: TestCertificate, options: ConnectionOptions = {}): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: cert, ...options });
  agents.push(agent);
  return agent;
}

/** The error of a handshake, "connected" when there is none. */
async function shakeHands(port: number, options: ConnectionOptions): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options });
  try {
    await once(socket, "secureConnect");
    return "connected";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  } finally {
    socket.destroy();
  }
}

const isTrusted = (port: number, certificate: TestCertificate) =>
  ask(port, trusting(certificate)).then(
    ({ status }) => status === 200,
    () => false,
  );

describe("TLS by the process", () => {
  it("answers requests of clients that check its certificate, by 1.2 and by 1.3", async () => {
    const port = await start();
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const agent = trusting(first, { minVersion: version, maxVersion: version });
      expect((await ask(port, agent)).status).toBe(200);
    }
    expect(await isTrusted(port, second)).toBe(false);
  });

  it.each(["TLSv1", "TLSv1.1"] as const)("refuses %s, which the client could speak", async (version) => {
    const old = { minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const lax = createTlsServer({ ...first, minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" });
    lax.listen(0, "127.0.0.1");
    await once(lax, "listening");
    const address = lax.address();
    expect(await shakeHands(typeof address === "object" ? (address?.port ?? 0) : 0, old)).toBe("connected");
    lax.close();
    expect(await shakeHands(await start(), old)).toBe("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION");
  });

  it("closes on a client that speaks plain HTTP, sends it nothing, and answers the next one", async () => {
    const port = await start();
    const socket = connectTcp(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    const closed = once(socket, "close");
    socket.write(`GET /v2/things/a HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`);
    const [hadError] = await closed;
    expect([hadError, text.includes("HTTP/1.1")]).toEqual([false, false]);
    expect(await isTrusted(port, first)).toBe(true);
  });

  it("closes on a client that never shakes hands", async () => {
    const port = await start({
      slowClients: { headersTimeoutMs: 200, bodyTimeoutMs: 200, windowMs: 200, bytesPerSecondMin: 1 },
    });
    const socket = connectTcp(port, "127.0.0.1");
    socket.resume();
    await once(socket, "close");
    expect(await isTrusted(port, first)).toBe(true);
  });

  it("does not take a proxy's word: https of the header is nothing to it, http of a trusted proxy is refused", async () => {
    const port = await start({ trustedProxies: ["127.0.0.1"] });
    const agent = trusting(first);
    expect((await ask(port, agent)).status).toBe(200);
    expect((await ask(port, agent, { "x-forwarded-proto": "https" })).status).toBe(200);
    const plain = await ask(port, agent, { "x-forwarded-proto": "http" });
    expect([plain.status, JSON.parse(plain.body).code]).toEqual([403, "HTTPS_REQUIRED"]);
  });

  it.each([
    ["no PEM", async () => writeFile(files.certFile, "nothing")],
    ["empty", async () => writeFile(files.certFile, "")],
    ["not there", async () => rm(files.keyFile)],
    ["another's key", async () => writeFile(files.keyFile, second.key)],
  ])("does not start with files that are %s", async (_what, spoil) => {
    await spoil();
    expect(() => createTestServer({ tls: files })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining("HEADWATER_TLS_CERT_FILE") }),
    );
  });
});

describe("a certificate that changes", () => {
  /** Replaces a file whole or not at all, as a careful tool does. */
  const put = async (file: string, text: string) => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };

  it("is used by new connections, while those that are open go on", async () => {
    const port = await start();
    const open = trusting(first);
    const before = await ask(port, open);
    await put(files.keyFile, second.key);
    await put(files.certFile, second.cert);
    await expect.poll(() => isTrusted(port, second)).toBe(true);
    expect(await isTrusted(port, first)).toBe(false);
    const after = await ask(port, open);
    expect([after.status, after.from]).toEqual([200, before.from]);
    const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    expect(await shakeHands(port, old)).toBe("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION");
  });

  it.each([
    ["half a certificate", () => writeFile(files.certFile, second.cert.slice(0, second.cert.length / 2))],
    ["half a chain", () => writeFile(files.certFile, first.cert + second.cert.slice(0, second.cert.length / 2))],
    ["an empty file", () => writeFile(files.certFile, "")],
    ["a new certificate without its key", () => writeFile(files.certFile, second.cert)],
    ["a new key without its certificate", () => writeFile(files.keyFile, second.key)],
    ["no file", () => rm(files.certFile)],
  ])("to %s leaves the old one in use, is logged once, and is mended by the whole pair", async (_what, spoil) => {
    const metrics = createMetrics({ processMetrics: false });
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const port = await start({ metrics, logger: createLogger({ name: "test", level: "info", destination }) });
    const logged = (what: string) => lines.filter((line) => line.includes(what)).length;
    await spoil();
    await expect.poll(() => logged("keeping the previous certificate")).toBe(1);
    expect(await isTrusted(port, first)).toBe(true);
    expect(await metrics.render()).toContain("headwater_tls_certificate_stale 1");
    await put(files.keyFile, second.key);
    await put(files.certFile, second.cert);
    await expect.poll(() => isTrusted(port, second)).toBe(true);
    expect([logged("keeping the previous certificate"), logged("certificate reloaded")]).toEqual([1, 1]);
    expect(await metrics.render()).toContain("headwater_tls_certificate_stale 0");
    expect(lines.join("")).not.toContain("PRIVATE KEY");
  });
});
