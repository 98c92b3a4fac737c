import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { revokeApiKey } from "@headwater/accounts/accounts/apiKeys";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { items, KIB, neighbours, person, requests, single } from "./badInputTable.ts";
import { addAccount, type Ingress, post, startIngress, type TestAccount } from "./ingressFixture.ts";

let ingress: Ingress;
let caller: TestAccount;
beforeAll(async () => {
  ingress = await startIngress({
    slowClients: { headersTimeoutMs: 1_000, bodyTimeoutMs: 20_000, windowMs: 1_000, bytesPerSecondMin: 1_024 },
  });
  caller = await addAccount(ingress.database);
});
afterAll(() => ingress.stop());

describe("a request with", () => {
  test.each(requests)("$what: $status $code", async ({ path, body, headers = {}, key, status, code, detail }) => {
    const answer = await post(ingress.url, { path, body, headers, key: key === "" ? undefined : (key ?? caller.key) });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    if (detail !== undefined) {
      expect(answer.body.details?.map(({ path: at, code: why }) => `${at} ${why}`)).toContain(detail);
    }
    if (status === 413) expect(answer.body.limit).toMatchObject({ what: expect.any(String), max: expect.any(Number) });
  });

  test("a revoked key: 401", async () => {
    const revoked = await addAccount(ingress.database);
    await revokeApiKey(ingress.database, revoked.account.number, revoked.keyId);
    expect(await post(ingress.url, { path: single, key: revoked.key, body: person("a@b.c") })).toMatchObject({
      status: 401,
      body: { code: "AUTHENTICATION_FAILED" },
    });
  });
});

describe("an item with", () => {
  test.each(items)("%s is refused alone: its neighbours are in the log", async (_what, operation, item, detail) => {
    const neighbour = JSON.stringify(neighbours[operation]);
    for (const [body, headers] of [
      [`{"items":[${neighbour},${item},${neighbour}]}`, {}],
      [`${neighbour}\n${item}\n${neighbour}\n`, { "content-type": "application/x-ndjson" }],
    ] as const) {
      const answer = await post(ingress.url, { path: `/api/${operation}/batch`, key: caller.key, body, headers });
      expect(answer).toMatchObject({ status: 202, body: { accepted: 2, rejected: 1 } });
      const [refused] = answer.body.items ?? [];
      expect(refused).toMatchObject({ index: 1, status: "rejected" });
      expect(JSON.stringify(refused?.details)).toContain(JSON.stringify(detail.split(" ")[0]));
      expect(JSON.stringify(refused?.details)).toContain(JSON.stringify(detail.split(" ")[1]));
      const records = await ingress.recordsOf(answer.body.requestId, 2);
      expect(records.map(({ id }) => id.split(":")[1])).toEqual(["0", "2"]);
    }
  });
});

async function open(): Promise<{ socket: Socket; text: () => string; isClosed: Promise<void> }> {
  const socket = connect(ingress.port, "127.0.0.1");
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
  });
  // Whoever goes on writing behind the answer is reset: that ends the connection, too.
  socket.on("error", () => socket.destroy());
  const closed = Promise.withResolvers<void>();
  socket.once("close", () => closed.resolve());
  await once(socket, "connect");
  return { socket, text: () => text, isClosed: closed.promise };
}

const head = (length: number) =>
  `POST ${single} HTTP/1.1\r\nHost: x\r\nx-api-key: ${caller.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe("a client that", () => {
  test.each([
    ["its headers", () => "POST / HTTP/1.1\r\nX-Slow: "],
    ["its body", () => head(500)],
  ])("sends %s a byte at a time gets 408 and is closed, while others are answered", async (_what, begin) => {
    const { socket, text, isClosed } = await open();
    socket.write(begin());
    const drip = setInterval(() => socket.writable && socket.write("P"), 50);
    const neighbour = await post(ingress.url, { path: single, key: caller.key, body: person("n@example.com") });
    await isClosed;
    clearInterval(drip);
    expect(neighbour.status).toBe(202);
    expect(text()).toContain(" 408 ");
    expect(text()).toContain('"code":"REQUEST_TIMEOUT"');
  });

  test("hangs up in the middle costs nothing and nobody: nothing of it is written", async () => {
    const before = ingress.records.length;
    for (let n = 0; n < 20; n++) {
      const { socket } = await open();
      socket.write(`${head(500)}{"identifiers":`);
      socket.destroy();
    }
    const neighbour = await post(ingress.url, { path: single, key: caller.key, body: person("n@example.com") });
    await ingress.recordsOf(neighbour.body.requestId, 1);
    expect(ingress.records.length).toBe(before + 1);
  });

  test("speaks no HTTP gets 400 and is closed", async () => {
    const { socket, text, isClosed } = await open();
    socket.write("\u0016\u0003\u0001\u0002 hello\r\n\r\n");
    await isClosed;
    expect(text()).toContain('"code":"BAD_REQUEST"');
  });

  test("goes on sending after it was refused still gets its answer", async () => {
    const { socket, text } = await open();
    const tooMuch = 20 * KIB * KIB;
    socket.write(head(tooMuch));
    for (let sent = 0; sent < tooMuch; sent += 64 * KIB) socket.write("x".repeat(64 * KIB));
    await expect.poll(text).toContain(" 413 ");
    socket.destroy();
  });
});
