import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { deliverNotices } from "@headwater/jobs/notices/deliverNotices";
import { createOutbound, createSealer, systemClock } from "@headwater/kernel";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { seedAnalytics } from "../contract/analytics/analyticsWorld.ts";
import { type ExportWorld, haveRead, startExportWorld } from "../contract/analytics/exports/exportWorld.ts";
import { logger } from "../contract/stores/fresh.ts";
import { type StorageWorld, worlds } from "./storageServers.ts";

/** Name whose owner gives it another address after it was checked. */
const NAME = "rebinding.example";
const [ALLOWED, INNER] = ["127.0.0.1", "127.0.0.2"];
let address = ALLOWED;
const outbound = createOutbound({
  allow: [ALLOWED],
  resolve: (_name, _options, callback) => callback(null, [{ address, family: 4 }]),
});
const sealer = createSealer([Buffer.alloc(32, 7)]);

/** Counts the connections that reach an inner address. */
let reached = 0;
const inner: Server[] = [];
async function listenInside(port: number): Promise<void> {
  const server = createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  server.listen(port, INNER);
  await once(server, "listening");
  inner.push(server);
}

const hooked: string[] = [];
const web = createHttpServer((request, answer) => {
  if (request.url === "/products.csv") return answer.end("productID,productName\nfrom,Outside\n");
  hooked.push(String(request.url));
  return answer.end();
});
let world: ExportWorld;
let bucket: StorageWorld;
let webPort: number;
beforeAll(async () => {
  [world, bucket] = await Promise.all([startExportWorld({ outbound, sealer, canMail: false }), worlds.s3()]);
  await seedAnalytics(world.service, world.account, 0);
  await haveRead(world, 1);
  web.listen(0, ALLOWED);
  await once(web, "listening");
  const listening = web.address();
  if (listening === null || typeof listening === "string") throw new Error("a server has a port");
  webPort = listening.port;
  await listenInside(webPort);
  await listenInside(bucket.port);
});
afterAll(async () => {
  await Promise.all([world.drop(), bucket.stop(), outbound.close()]);
  web.close();
  for (const server of inner) server.close();
});
beforeEach(() => {
  address = ALLOWED;
});

/** The name means another address from now on, and no connection of before is kept. */
async function rebind(): Promise<void> {
  outbound.ofAccount(world.account.number).httpAgent.destroy();
  web.closeAllConnections();
  address = INNER;
}

const refused = {
  status: "Failed",
  metadata: { error: { code: "STORAGE_CONNECTION_ERROR", message: expect.stringContaining("may not reach") } },
};

describe("a name that changes its address between check and connect is refused", () => {
  test("as the destination of an export", async () => {
    const { storage } = bucket;
    const destination = { ...storage, aws_endpoint: `http://${NAME}:${bucket.port}` };
    const { status, body } = await world.post("contactexports", { fields: ["cID"], destination });
    expect(status).toBe(202);
    await rebind();
    expect(await world.workOn(body.jobId)).toMatchObject(refused);
    expect(await world.post("contactexports", { fields: ["cID"], destination })).toMatchObject({
      status: 422,
      body: { code: "STORAGE_CONNECTION_ERROR" },
    });
    expect(reached).toBe(0);
    expect(await bucket.files()).toEqual(new Map());
  });

  test("as the source of an import", async () => {
    const source = { transport: "http", url: `http://${NAME}:${webPort}/products.csv` };
    const { status, body } = await world.post("productimports", { source, hasHeader: true });
    expect(status).toBe(202);
    await rebind();
    expect(await world.workOn(body.jobId)).toMatchObject(refused);
    expect(await world.post("productimports", { source, hasHeader: true })).toMatchObject({
      status: 422,
      body: { code: "STORAGE_CONNECTION_ERROR" },
    });
    expect(reached).toBe(0);
  });

  test("as a webhook, which is called when the name means a public address again", async () => {
    const key = await world.service.key(world.account, { scopes: ["account:write"] });
    const secret = { webhookSecret: "a secret of some characters" };
    expect((await world.service.call(key, "/v2/account", { method: "PUT", body: secret })).status).toBe(200);
    const jobStatusWebhookUrl = `http://${NAME}:${webPort}/hook`;
    const { status, body } = await world.post("contactexports", { fields: ["cID"], jobStatusWebhookUrl });
    expect(status).toBe(202);
    expect(await world.workOn(body.jobId)).toMatchObject({ status: "Done" });
    const deliver = (afterMs: number) =>
      deliverNotices({
        postgres: world.service.postgres,
        outbound,
        sealer,
        clock: { ...systemClock, nowMs: () => systemClock.nowMs() + afterMs },
        logger,
        account: (number) => findAccountByNumber(world.service.postgres, number),
        sendMail: undefined,
      });
    await rebind();
    await deliver(1_000);
    expect([reached, hooked]).toEqual([0, []]);
    address = ALLOWED;
    await deliver(60_000);
    expect([reached, hooked]).toEqual([0, ["/hook"]]);
  });
});
