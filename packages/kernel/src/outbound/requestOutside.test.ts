import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, expect, test } from "vitest";
import { watchLoopTurns } from "../loopTurns.ts";
import { createOutbound } from "./outbound.ts";
import { requestOutside } from "./requestOutside.ts";

/** Longest time of a core for which all responses together may hold the loop. */
const HELD_SECONDS_MAX = 0.25;
const AT_ONCE = 20;
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const closers: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});
afterAll(() => outbound.close());

/** Starts a server of the test's own process. */
async function serve(onRequest: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined).on("data", () => onRequest(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return address.port;
}

const ask = (port: number, more: Partial<Parameters<typeof requestOutside>[1]> = {}) =>
  requestOutside(`http://127.0.0.1:${port}/`, {
    ...{ method: "POST", headers: {}, body: "{}", outbound, signal: AbortSignal.timeout(10_000) },
    ...more,
  });

/** Starts a server in a process of its own, which repeats a text without end: it would hold the loop that is watched. */
async function serveEndless(head: string, unit: string): Promise<number> {
  const child = fork(new URL("./testEndlessServer.ts", import.meta.url), [head, unit]);
  closers.push(async () => {
    child.kill();
    await once(child, "exit");
  });
  const [port] = await once(child, "message");
  return Number(port);
}

test.each([
  ["headers without values", "HTTP/1.1 400 Bad\r\n", "a: \r\n"],
  ["short headers", "HTTP/1.1 200 OK\r\n", "X: y\r\n"],
  ["one header", "HTTP/1.1 200 OK\r\nX: ", "a"],
  ["cookies", "HTTP/1.1 200 OK\r\n", "Set-Cookie: a=b\r\n"],
  ["interim responses", "", "HTTP/1.1 100 Continue\r\n\r\n"],
  ["interim responses with headers", "", "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"],
  ["a reason", "HTTP/1.1 200 ", "a"],
])(
  "%s without end fail all requests at once, and no loop is held",
  async (_what, head, unit) => {
    const port = await serveEndless(head, unit);
    await ask(port).catch(() => undefined);
    const heldSeconds = watchLoopTurns();
    const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => ask(port)));
    expect(heldSeconds()).toBeLessThan(HELD_SECONDS_MAX);
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => "rejected"));
  },
  60_000,
);

test("a body in the smallest chunks is read in turns", async () => {
  const port = await serveEndless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n");
  const { body } = await ask(port);
  const heldSeconds = watchLoopTurns();
  let bytes = 0;
  for await (const chunk of body) {
    bytes += Buffer.from(chunk).length;
    if (bytes > 200_000) break;
  }
  expect(heldSeconds()).toBeLessThan(HELD_SECONDS_MAX);
}, 60_000);

test("a request tells when it is about to leave, on a new connection and on one that was used", async () => {
  const port = await serve((socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  const starts: string[] = [];
  for (const name of ["first", "second"]) {
    const { status, body } = await ask(port, { onStart: () => starts.push(name) });
    expect([status, await text(body)]).toEqual([200, "ok"]);
  }
  expect(starts).toEqual(["first", "second"]);
  await expect(ask(1, { onStart: () => starts.push("nobody") })).rejects.toMatchObject({ code: "ECONNREFUSED" });
  expect(starts).toHaveLength(2);
});

test.each([
  [{ "X-Sender": "Café €" }, "X-Sender"],
  [{ "Keep-Alive": "5" }, "Keep-Alive"],
  [{ "content-length": "1" }, "content-length"],
  [{ "a b": "1" }, "a b"],
])("headers %j are impossible, and nothing leaves", async (headers, name) => {
  let requests = 0;
  const port = await serve(() => (requests += 1));
  const message = expect.stringContaining(name);
  await expect(ask(port, { headers })).rejects.toMatchObject({ code: "IMPOSSIBLE_REQUEST", message });
  expect(requests).toBe(0);
});

test("a server that says nothing is left after its time", async () => {
  const port = await serve(() => undefined);
  await expect(ask(port, { silenceMs: 100 })).rejects.toThrow("The server is silent.");
});
