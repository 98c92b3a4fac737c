import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkPortsFree, isPortFree } from "./ports.mjs";

let server: Server;
let port: number;

beforeEach(async () => {
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});

afterEach(() => {
  server.close();
});

test("a taken port ends with one sentence that names the port, its use and the process that holds it", async () => {
  const taken = checkPortsFree([{ port, use: "Kafka" }]);
  await expect(taken).rejects.toThrow(
    new RegExp(`^port ${port}, wanted for Kafka, is taken by process ${process.pid} \\(.*\\): stop that, or `),
  );
});

test("a free port passes", async () => {
  server.close();
  await once(server, "close");
  expect(await isPortFree(port)).toBe(true);
  await checkPortsFree([{ port, use: "Kafka" }]);
});
