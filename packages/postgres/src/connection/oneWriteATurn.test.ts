import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { oneWriteATurn } from "./postgres.ts";

let server: Server;
let socket: Socket;
let writes: number;

/** Counts what reaches the system: a socket hands it several chunks at once by `_writev`, and one by `_write`. */
beforeEach(async () => {
  server = createServer((other) => other.pipe(other)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a listening server has a port");
  socket = oneWriteATurn();
  socket.connect(address.port, "127.0.0.1");
  await once(socket, "connect");
  writes = 0;
  for (const name of ["_write", "_writev"] as const) {
    const original = socket[name]?.bind(socket);
    const counted = (...input: [never, never, never]) => {
      writes += 1;
      original?.(...input);
    };
    Object.defineProperty(socket, name, { value: counted });
  }
});
afterEach(() => {
  socket.destroy();
  server.close();
});

async function echoed(length: number): Promise<string> {
  let text = "";
  while (text.length < length) text += String((await once(socket, "data"))[0]);
  return text;
}

test("writes of one turn reach the system as one, in their order, corked or not", async () => {
  socket.write("a");
  socket.cork();
  socket.write("b");
  socket.write("c");
  socket.uncork();
  await Promise.resolve();
  socket.write("d");
  expect(await echoed(4)).toBe("abcd");
  expect(writes).toBe(1);
});

test.each([4, 60])("messages of %i bytes and more, written in a turn, arrive whole and in one write", async (bytes) => {
  const parts = Array.from({ length: 40 }, (_, n) => String(n % 10).repeat(n * bytes));
  for (const part of parts) socket.write(Buffer.from(part));
  expect(await echoed(parts.join("").length)).toBe(parts.join(""));
  expect(writes).toBe(1);
});

test("what is written in a later turn goes out by itself", async () => {
  socket.write("a");
  expect(await echoed(1)).toBe("a");
  socket.write("b");
  expect(await echoed(1)).toBe("b");
  expect(writes).toBe(2);
});

test("the other end may close", async () => {
  socket.write("a");
  await echoed(1);
  server.once("connection", (other) => other.end());
  const closed = oneWriteATurn();
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a listening server has a port");
  closed.connect(address.port, "127.0.0.1").resume();
  await once(closed, "close");
  expect(closed.destroyed).toBe(true);
});

test("what was written last is sent before the end", async () => {
  socket.write("a");
  socket.end("b");
  expect(await echoed(2)).toBe("ab");
});
