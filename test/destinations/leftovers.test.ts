import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { removeLeftovers } from "@headwater/analytics/exports/leftovers";
import { createDestination } from "@headwater/jobs/destinations/createDestination";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { createOutbound, createSealer, systemClock } from "@headwater/kernel";
import { createTcpProxy } from "@headwater/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedAnalytics } from "../contract/analytics/analyticsWorld.ts";
import { type ExportWorld, startExportWorld } from "../contract/analytics/exports/exportWorld.ts";
import { storages } from "../contract/jobs/sandboxes.ts";
import { logger } from "../contract/stores/fresh.ts";
import { type StorageWorld, worlds } from "./storageServers.ts";

const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
const sealer = createSealer([Buffer.alloc(32, 7)]);
let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld({ outbound, sealer });
  await seedAnalytics(world.service, world.account, 0);
});
afterAll(async () => {
  await world.drop();
  await outbound.close();
});

/** Searches for leftovers as a worker does so long after now. */
function removeAfter(ms: number): Promise<boolean> {
  const { postgres, clickHouse: clickhouse, bulk } = world.service;
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + ms };
  const account = (number: number) => findAccountByNumber(postgres, number);
  const ports = {
    postgres,
    clickhouse,
    bulk,
    files: createFileStore(world),
    outbound,
    storages,
    sealer,
    clock,
    logger,
    account,
  };
  return removeLeftovers(ports);
}

const left = () => world.service.postgres.query<{ attempts: number }>({ text: "SELECT attempts FROM job_leftovers" });

/** Starts an export whose worker dies in the middle of a file, and cancels it. @returns its id. */
async function cancelWithDeadWorker(outside: StorageWorld, destination: object): Promise<string> {
  const { jobId } = (await world.post("contactexports", { fields: ["cID"], name: "x", destination })).body;
  const at = { phase: "write", erasedUpTo: "", part: 0, from: 0, place: 0, files: [] };
  const table = `export_staging_${jobId}_1_0`;
  await world.service.clickHouse.command(`CREATE TABLE ${table} (n UInt64) ENGINE = MergeTree ORDER BY n`);
  const parts = [{ table, columns: [], rows: 1 }];
  await world.service.postgres.execute(
    { text: "UPDATE jobs SET status = 'Processing', attempt = 1, progress = $2 WHERE id = $1" },
    [jobId, JSON.stringify({ ...at, parts })],
  );
  const hostKeys = { pin: async (_: unknown, key: string) => key, replace: async () => undefined };
  const facts = { jobId, name: "x", createdAt: 0 };
  const dead = createDestination(outside.storage, { account: 1, outbound, hostKeys, storages, facts });
  const upload = await dead.open(`x-${jobId}.csv`, new AbortController().signal);
  await upload.write(Buffer.alloc(17 * 1024 * 1024));
  await expect.poll(() => outside.unfinished()).toBe(1);
  const canceled = await world.service.call(world.key, `/v2/jobs/${jobId}/cancel`, { method: "PUT" });
  expect(canceled.body).toMatchObject({ status: "Canceled" });
  return jobId;
}

describe.each([
  ["s3", worlds.s3],
  ["sftp", worlds.sftp],
  ["azureblob", worlds.azureblob],
] as const)("an export to %s that is canceled while its worker is dead", (_type, startWorld) => {
  let outside: StorageWorld;
  beforeAll(async () => {
    outside = await startWorld();
  });
  afterAll(() => outside.stop());

  test("leaves nothing behind, and its secrets go with it", async () => {
    const proxy = await createTcpProxy({ host: "127.0.0.1", port: outside.port });
    const jobId = await cancelWithDeadWorker(outside, outside.through(proxy.port));
    await removeAfter(0);
    expect(await outside.unfinished()).toBe(1);
    expect(await world.tablesOf(jobId)).toBe(1);
    proxy.setMode("refuse");
    await removeAfter(20_000);
    expect(await world.tablesOf(jobId)).toBe(0);
    expect(await left()).toEqual([{ attempts: 1 }]);
    proxy.setMode("forward");
    await removeAfter(300_000);
    expect(await outside.unfinished()).toBe(0);
    expect(await outside.files()).toEqual(new Map());
    expect(await left()).toEqual([]);
    const secrets = await world.service.postgres.query({ text: "SELECT secrets FROM jobs WHERE id = $1" }, [jobId]);
    expect(secrets).toEqual([{ secrets: null }]);
    await proxy.close();
  });
});
