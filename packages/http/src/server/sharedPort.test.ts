import { Agent, request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { definePublicRoute } from "../routes/defineRoute.ts";
import type { HttpServer } from "./httpServer.ts";
import { createTestServer } from "./testServer.ts";

const HOST = "127.0.0.1";
const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop({ timeoutMs: 200 })));
});

function serverThatSays(name: string): HttpServer {
  const server = createTestServer();
  servers.push(server);
  const handler = async () => ({ status: 200, body: { name } }) as const;
  const common = { operationId: "who", summary: "s", answers: { 200: { description: "ok" } } };
  server.add(definePublicRoute({ ...common, method: "GET", path: "/v2/who", handler }));
  return server;
}

/** Asks over a connection of its own. */
function ask(port: number): Promise<string> {
  const agent = new Agent({ keepAlive: false });
  return new Promise((resolve, reject) => {
    const asked = request({ host: HOST, port, path: "/v2/who", agent }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.on("end", () => resolve(text));
    });
    asked.on("error", reject);
    asked.end();
  });
}

describe.runIf(process.platform === "linux")("a port that is shared", () => {
  it("is served by all servers that listen on it, and by the rest when one stops", async () => {
    const [first, second] = [serverThatSays("first"), serverThatSays("second")];
    const port = await first.start({ host: HOST, port: 0, reusePort: true });
    await second.start({ host: HOST, port, reusePort: true });
    const names = new Set<string>();
    await expect.poll(async () => names.add(await ask(port)).size).toBe(2);
    await second.stop();
    for (let asked = 0; asked < 20; asked++) expect(await ask(port)).toContain("first");
  });

  it("is taken for servers that do not share it", async () => {
    const [first, second] = [serverThatSays("first"), serverThatSays("second")];
    const port = await first.start({ host: HOST, port: 0 });
    await expect(second.start({ host: HOST, port, reusePort: true })).rejects.toThrow("EADDRINUSE");
  });
});
