import { once } from "node:events";
import { METHODS } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpServer } from "./httpServer.ts";
import { authorization, createTestServer } from "./testServer.ts";

let server: HttpServer;
let port: number;
beforeAll(async () => {
  server = createTestServer();
  port = await server.start({ host: "127.0.0.1", port: 0 });
});
afterAll(() => server.stop({ timeoutMs: 200 }));

/** Writes the text and reads until the server closes. @returns status and code of the error body. */
async function say(text: string): Promise<[number, string | undefined]> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    answer += chunk;
  });
  socket.on("error", () => socket.destroy());
  socket.write(text);
  await once(socket, "close");
  return [Number(answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)), /"code":"([A-Z_]+)"/.exec(answer)?.[1]];
}

const ask = (method: string, path: string, more = "") =>
  say(`${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n${more}\r\n`);

describe("a method nobody serves", () => {
  const others = METHODS.filter((method) => !["CONNECT", "GET", "HEAD", "DELETE"].includes(method));
  test.each(others)("%s is 405 for a path that is there and 404 for another", async (method) => {
    expect(await ask(method, "/v2/things/a")).toEqual([405, "METHOD_NOT_ALLOWED"]);
    expect(await ask(method, "/nope")).toEqual([404, "RECORD_NOT_FOUND"]);
  });

  test("a method that Node does not know is no request", async () => {
    expect(await ask("MADEUP", "/v2/things/a")).toEqual([400, "BAD_REQUEST"]);
  });
});

describe("a request that cannot be read", () => {
  test.each([
    ["headers beyond 32 KiB", `X-Long: ${"x".repeat(40_000)}\r\n`, 431],
    ["a header without a colon", "X-Broken\r\n", 400],
    ["two lengths", "Content-Length: 1\r\nContent-Length: 2\r\n", 400],
    ["a length and chunks", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", 400],
    ["a length that is none", "Content-Length: 1e3\r\n", 400],
    ["a length beyond all numbers", `Content-Length: ${"9".repeat(30)}\r\n`, 400],
  ])("%s", async (_what, header, status) => {
    expect(await ask("GET", "/v2/things/a", header)).toEqual([status, "BAD_REQUEST"]);
  });

  test.each([
    ["GET", ""],
    ["POST", "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"],
  ])("%s without Host is refused in HTTP/1.1, and taken in HTTP/1.0", async (method, more) => {
    const line = `${method} /v2/things/a HTTP/1`;
    const rest = `Authorization: ${authorization}\r\n${more}\r\n`;
    expect(await say(`${line}.1\r\n${rest}`)).toEqual([400, "BAD_REQUEST"]);
    const taken = method === "GET" ? [200, undefined] : [405, "METHOD_NOT_ALLOWED"];
    expect(await say(`${line}.0\r\n${rest}`)).toEqual(taken);
  });

  test.each([
    "/v2/things/%",
    "/v2/things/%zz",
    "/v2/things/%c0%80",
    "/v2/things/%ff",
    `/v2/things/${"x".repeat(7_000)}`,
  ])("the path %.40s", async (path) => {
    expect(await ask("GET", path)).toEqual([400, "BAD_REQUEST"]);
  });

  test.each([
    ["an expectation nobody knows", "Expect: tea\r\n"],
    ["an upgrade", "Upgrade: h2c\r\n"],
  ])("%s changes nothing", async (_what, header) => {
    expect(await ask("GET", "/v2/things/a", header)).toEqual([200, undefined]);
  });
});

test.each(["/docs/static/nope", "/docs/static/%2e%2e/%2e%2e/package.json", "/docs/%00", "/docs/static/%zz"])(
  "%s is no defect",
  async (path) => {
    const [status, code] = await ask("GET", path);
    expect([status >= 400 && status < 500, code]).toEqual([true, expect.any(String)]);
  },
);
