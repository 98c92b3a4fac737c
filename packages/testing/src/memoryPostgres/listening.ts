import { once } from "node:events";
import type { Server } from "node:net";

/** Listens on a free port of this machine. @returns the address as clients of Postgres write it. */
export async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a listening server has a port");
  return `postgres://postgres@127.0.0.1:${address.port}/postgres`;
}
