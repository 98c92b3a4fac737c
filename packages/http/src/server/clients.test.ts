import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { definePublicRoute } from "../routes/defineRoute.ts";
import type { HttpServer, HttpServerOptions } from "./httpServer.ts";
import { authorization, createTestServer } from "./testServer.ts";

const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop({ timeoutMs: 200 })));
});

function createServer(options: Partial<HttpServerOptions> = {}): HttpServer {
  const server = createTestServer(options);
  servers.push(server);
  return server;
}

const slowClients = { headersTimeoutMs: 300, bodyTimeoutMs: 5_000, windowMs: 300, bytesPerSecondMin: 1_024 };

/** Writes the parts, each after the one before, and reads until the server closes. */
async function talk(port: number, parts: readonly string[], everyMs: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
  });
  // A part that is written behind the answer is reset: the answer stands.
  const closed = Promise.withResolvers<void>();
  socket.on("error", () => socket.destroy());
  socket.on("close", () => closed.resolve());
  let next = 0;
  const timer = setInterval(() => {
    const part = parts[next++];
    if (part !== undefined && socket.writable) socket.write(part);
  }, everyMs);
  await closed.promise;
  clearInterval(timer);
  return text;
}

describe("a slow client", () => {
  it("a client that sends its headers a byte at a time gets 408 and is closed", async () => {
    const server = createServer({ slowClients });
    const port = await server.start({ host: "127.0.0.1", port: 0 });
    const text = await talk(port, [..."POST /v2/things HTTP/1.1\r\nHost: x\r\n".repeat(10)], 50);
    expect(text).toContain("408 Request Timeout");
    expect(text).toContain('"code":"REQUEST_TIMEOUT"');
  });

  it("a client that says nothing gets 408 and is closed", async () => {
    const server = createServer({ slowClients });
    const port = await server.start({ host: "127.0.0.1", port: 0 });
    expect(await talk(port, [], 50)).toContain("408 Request Timeout");
  });

  it("a client that sends its body a byte at a time gets 408 and is closed", async () => {
    const server = createServer({ slowClients });
    const port = await server.start({ host: "127.0.0.1", port: 0 });
    const head = `POST /v2/things HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`;
    const text = await talk(port, [head, ..."{".repeat(99)], 20);
    expect(text).toContain("408 Request Timeout");
    expect(text).toContain("Connection: close");
  });
});

describe("what is no HTTP", () => {
  it("gets the error body, too", async () => {
    const server = createServer();
    const port = await server.start({ host: "127.0.0.1", port: 0 });
    const text = await talk(port, ["\u0016\u0003\u0001 no HTTP\r\n\r\n"], 5);
    expect(text).toContain("400 Bad Request");
    expect(text).toContain('"code":"BAD_REQUEST"');
    expect(text).toContain('\r\nRateLimit: "read";r=50;t=0\r\n');
  });
});

describe("a stop", () => {
  it("finishes what runs, asks its client to close, and takes nothing new", async () => {
    const server = createServer();
    const finish = Promise.withResolvers<void>();
    const running = Promise.withResolvers<void>();
    server.add(
      definePublicRoute({
        method: "GET",
        path: "/v2/long",
        operationId: "long",
        summary: "s",
        answers: { 200: { description: "ok" } },
        handler: async () => {
          running.resolve();
          await finish.promise;
          return { status: 200, body: { done: true } };
        },
      }),
    );
    const port = await server.start({ host: "127.0.0.1", port: 0 });
    const long = fetch(`http://127.0.0.1:${port}/v2/long`);
    await running.promise;
    // Longer than a test may take: the connection of the answer, kept alive as it was, holds nothing up.
    const stopped = server.stop({ timeoutMs: 60_000 });
    finish.resolve();
    const answer = await long;
    expect([answer.status, await answer.json()]).toEqual([200, { done: true }]);
    expect(answer.headers.get("connection")).toBe("close");
    await stopped;
    await expect(fetch(`http://127.0.0.1:${port}/v2/long`)).rejects.toThrow("fetch failed");
  });

  it("cuts what does not end in time", async () => {
    const server = createServer();
    const started = Promise.withResolvers<void>();
    server.add(
      definePublicRoute({
        method: "GET",
        path: "/v2/never",
        operationId: "never",
        summary: "s",
        answers: {},
        handler: ({ signal }) => {
          started.resolve();
          return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("gone"))));
        },
      }),
    );
    const port = await server.start({ host: "127.0.0.1", port: 0 });
    const never = fetch(`http://127.0.0.1:${port}/v2/never`);
    await started.promise;
    await server.stop({ timeoutMs: 50 });
    await expect(never).rejects.toThrow("fetch failed");
  });
});
