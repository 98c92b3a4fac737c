import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createMemoryTerminal, runCommand } from "@headwater/cli";
import { expect, test } from "vitest";

/** Runs `status` as an analyst who was given an address and a key, and nothing of the stores. */
async function status(env: Readonly<Record<string, string>>) {
  const home = await mkdtemp(join(tmpdir(), "headwater-cli-"));
  const { terminal, out } = createMemoryTerminal({ input: "" });
  const code = await runCommand({
    args: ["status", "--json"],
    env: { HEADWATER_HOME: home, ...env },
    terminal,
    connect,
  });
  await rm(home, { recursive: true });
  return { code, out: out() };
}

test("status with the address of an API alone looks at that, and exits 0 while it answers", async () => {
  const server = createServer((_request, response) => response.end('{"status":"ok"}')).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const found = await status({ HEADWATER_BASE_URL: `http://127.0.0.1:${port}` });
  expect(found.code).toBe(0);
  expect(JSON.parse(found.out)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ part: "service", state: "ok" }),
      expect.objectContaining({ part: "postgres", state: "unknown" }),
      expect.objectContaining({ part: "groups", state: "unknown" }),
    ]),
  );
  server.close();
  server.closeAllConnections();
  expect((await status({ HEADWATER_BASE_URL: `http://127.0.0.1:${port}` })).code).toBe(1);
});

test("status with a key that the API does not take says so, and exits 3", async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === "/api/checkAuth" ? 401 : 200;
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const provided = { HEADWATER_BASE_URL: `http://127.0.0.1:${port}`, HEADWATER_API_KEY: "hw_revoked" };
  const refused = await status(provided);
  expect(refused.code).toBe(3);
  expect(JSON.parse(refused.out)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ part: "ingress", state: "refused", detail: expect.stringContaining("401") }),
      expect.objectContaining({ part: "service", state: "ok" }),
    ]),
  );
  const storeAway = await status({ ...provided, CLICKHOUSE_URL: "http://127.0.0.1:9/headwater" });
  expect(storeAway.code).toBe(1);
  server.close();
  server.closeAllConnections();
});
