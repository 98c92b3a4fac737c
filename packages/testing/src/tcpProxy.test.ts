import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTcpProxy, socketsThrough, type TcpProxy } from "./tcpProxy.ts";

let echo: Server;
let proxy: TcpProxy;
let heard: string;

beforeEach(async () => {
  heard = "";
  echo = createServer((socket) => {
    socket.on("data", (bytes: Buffer) => {
      heard += bytes.toString();
      socket.write(bytes);
    });
    socket.on("error", () => socket.destroy());
  });
  echo.listen(0, "127.0.0.1");
  await once(echo, "listening");
  proxy = await createTcpProxy({ host: "127.0.0.1", port: portOf(echo) });
});

afterEach(async () => {
  await proxy.close();
  echo.close();
});

function portOf(server: Server): number {
  const address = server.address();
  return address === null || typeof address === "string" ? 0 : address.port;
}

async function client(): Promise<{ socket: Socket; answers: () => string; isCut: () => boolean }> {
  const socket = connect({ host: "127.0.0.1", port: proxy.port });
  let answers = "";
  socket.on("data", (bytes: Buffer) => {
    answers += bytes.toString();
  });
  socket.on("error", () => socket.destroy());
  await once(socket, "connect");
  return { socket, answers: () => answers, isCut: () => socket.destroyed };
}

test("questions and answers pass", async () => {
  const { socket, answers } = await client();
  socket.write("hello");
  await expect.poll(() => answers()).toBe("hello");
});

test("answers are swallowed while questions arrive, and the spoiled connection is cut afterwards", async () => {
  const { socket, answers, isCut } = await client();
  proxy.setMode("swallowAnswers");
  socket.write("lost");
  await expect.poll(() => proxy.swallowedBytes()).toBe(4);
  expect([heard, answers(), isCut()]).toEqual(["lost", "", false]);
  proxy.setMode("forward");
  await expect.poll(() => isCut()).toBe(true);
});

test("a silent proxy lets nothing through and cuts nothing", async () => {
  const { socket, isCut } = await client();
  proxy.setMode("silent");
  socket.write("nobody hears");
  const other = await client();
  expect([heard, isCut(), other.isCut()]).toEqual(["", false, false]);
});

test("a proxy that refuses cuts what there is and takes nothing new until it forwards again", async () => {
  const first = await client();
  proxy.setMode("refuse");
  await expect.poll(() => first.isCut()).toBe(true);
  const second = await client();
  await expect.poll(() => second.isCut()).toBe(true);
  proxy.setMode("forward");
  const third = await client();
  third.socket.write("back");
  await expect.poll(() => third.answers()).toBe("back");
});

test("delayed bytes arrive in order", async () => {
  const { socket, answers } = await client();
  proxy.setDelay(20);
  socket.write("a");
  socket.write("b");
  await expect.poll(() => answers()).toBe("ab");
});

test("bytes that wait go at once when the delay becomes shorter, before what comes after them", async () => {
  const { socket, answers } = await client();
  proxy.setDelay(60_000);
  socket.write("a");
  const letGo = () => {
    proxy.setDelay(0);
    proxy.setDelay(60_000);
  };
  await expect
    .poll(() => {
      letGo();
      return heard;
    })
    .toBe("a");
  proxy.setDelay(0);
  socket.write("b");
  await expect.poll(() => answers()).toBe("ab");
});

test("a client is led through the proxy of the port it wants, and elsewhere directly", async () => {
  const open = socketsThrough(new Map([[portOf(echo), proxy]]));
  proxy.setMode("swallowAnswers");
  const connected = Promise.withResolvers<void>();
  const socket = open({ host: "127.0.0.1", port: portOf(echo), onConnect: connected.resolve });
  await connected.promise;
  socket.write("x");
  await expect.poll(() => proxy.swallowedBytes()).toBe(1);
  const direct = socketsThrough(new Map())({ host: "127.0.0.1", port: portOf(echo), onConnect: () => undefined });
  const answer = once(direct, "data");
  direct.write("y");
  expect(String((await answer)[0])).toBe("y");
  direct.destroy();
  socket.destroy();
});
