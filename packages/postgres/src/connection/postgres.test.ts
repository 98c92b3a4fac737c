import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { createLogger } from "@headwater/kernel";
import { afterEach, expect, test } from "vitest";
import { createPostgres } from "./postgres.ts";

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => void server.close()));

test("a server that dies as it accepts a connection is an error of the statement, and not of the process", async () => {
  const postgres = createPostgres({
    url: await dyingServer(),
    poolMax: 1,
    applicationName: "test",
    statementTimeoutMs: 1_000,
    logger: createLogger({ name: "test", level: "silent" }),
  });
  for (let round = 0; round < 3; round += 1) {
    await expect(postgres.query({ text: "SELECT 1" })).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  }
  await postgres.close();
});

/** Starts what answers as a Postgres whose postmaster is killed: the sign-in and the farewell come in one packet. */
async function dyingServer(): Promise<string> {
  const farewell = ["SFATAL", "VFATAL", "C57P01", "Mterminating connection due to unexpected postmaster exit", ""];
  const answer = [
    message("R", Buffer.alloc(4)),
    message("Z", Buffer.from("I")),
    message("E", Buffer.from(`${farewell.join("\0")}\0`)),
  ];
  const server = createServer((socket) => {
    socket.once("data", () => socket.end(Buffer.concat(answer)));
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `postgres://user@127.0.0.1:${address.port}/test`;
}

/** Message of the protocol: its letter, the length with itself, and the body. */
function message(deadLetter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(deadLetter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
