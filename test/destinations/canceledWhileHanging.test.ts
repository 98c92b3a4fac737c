import { setTimeout as sleep } from "node:timers/promises";
import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import { removeLeftovers } from "@headwater/analytics/exports/leftovers";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { createOutbound, createSealer, systemClock } from "@headwater/kernel";
import { createTcpProxy, type TcpProxy } from "@headwater/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ExportWorld, startExportWorld, storeNotes } from "../contract/analytics/exports/exportWorld.ts";
import { storages } from "../contract/jobs/sandboxes.ts";
import { workOff } from "../contract/jobs/workOff.ts";
import { logger } from "../contract/stores/fresh.ts";
import { type StorageWorld, worlds } from "./storageServers.ts";

/** Much more than a worker and its sockets hold of a file that nobody takes. */
const CONTACTS = 15_000;
const NOTE_CHARACTERS = 3_000;
/** A cancel takes hold within this, whatever the destination does. */
const CANCEL_MS = 5_000;
/** Time after which leftovers are due that a living worker has not removed by itself. */
const LEFTOVERS_AFTER_MS = 20_000;

const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
const sealer = createSealer([Buffer.alloc(32, 7)]);
let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld({ outbound, sealer });
  await storeNotes(world, { contacts: CONTACTS, characters: NOTE_CHARACTERS });
});
afterAll(async () => {
  await world.drop();
  await outbound.close();
});

/** Searches for leftovers as a worker does after a while. */
function removeLater(): Promise<boolean> {
  const { postgres, clickHouse: clickhouse, bulk } = world.service;
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + LEFTOVERS_AFTER_MS };
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

async function phaseOf(jobId: string): Promise<string | null | undefined> {
  const text = "SELECT progress->>'phase' AS phase FROM jobs WHERE id = $1";
  const [row] = await world.service.postgres.query<{ phase: string | null }>({ text }, [jobId]);
  return row?.phase;
}

/** Counts the queries that read the rows of a job at this moment. */
async function readingAt(jobId: string): Promise<number> {
  const sql = `SELECT count() AS queries FROM system.processes
    WHERE position(query, {table: String}) > 0 AND position(query, 'RawBLOB') > 0 AND position(query, 'system.processes') = 0`;
  const [row] = await world.service.clickHouse.query<{ queries: number }>(sql, { table: `export_staging_${jobId}` });
  return row?.queries ?? 0;
}

async function attemptsOf(jobId: string): Promise<number | undefined> {
  const text = "SELECT attempt FROM jobs WHERE id = $1";
  const [row] = await world.service.postgres.query<{ attempt: number }>({ text }, [jobId]);
  return row?.attempt;
}

async function cancel(jobId: string): Promise<void> {
  const canceled = await world.service.call(world.key, `/v2/jobs/${jobId}/cancel`, { method: "PUT" });
  expect(canceled.body).toMatchObject({ status: "Canceled" });
}

/** Does what another worker does that takes the job and stages its rows. @returns its staging table. */
async function takeAway(jobId: string): Promise<string> {
  const text = "UPDATE jobs SET attempt = attempt + 1 WHERE id = $1 RETURNING attempt";
  const [row] = await world.service.postgres.query<{ attempt: number }>({ text }, [jobId]);
  const table = `export_staging_${jobId}_${row?.attempt}_0`;
  await world.service.clickHouse.command(`CREATE TABLE ${table} (n UInt64) ENGINE = MergeTree ORDER BY n`);
  return table;
}

async function expectOver(worked: Promise<string>): Promise<void> {
  expect(await Promise.race([worked, sleep(CANCEL_MS, "hangs with its storage")])).toBe("over");
}

const SOON = { interval: 2, timeout: 60_000 };
/** Instants at which the storage falls silent. */
const instants: readonly (readonly [string, (jobId: string, outside: StorageWorld) => Promise<void>])[] = [
  ["before a file is begun", (jobId) => expect.poll(() => phaseOf(jobId), SOON).toBe("stage")],
  ["in the middle of a file", (jobId) => expect.poll(() => readingAt(jobId), SOON).toBe(1)],
  ["when it has parts", (_, outside) => expect.poll(() => outside.unfinished(), SOON).toBe(1)],
];
/** Instants at which another worker takes the job. */
const taken = instants.slice(0, 2);

describe.each(Object.entries(worlds))("an export to a storage of type %s that hangs", (_type, startWorld) => {
  let outside: StorageWorld;
  let proxy: TcpProxy;
  beforeAll(async () => {
    outside = await startWorld();
  });
  beforeEach(async () => {
    proxy = await createTcpProxy({ host: "127.0.0.1", port: outside.port });
  });
  afterEach(() => proxy.close());
  afterAll(() => outside.stop());

  test.each(instants)("%s ends with its cancel, and its query, and leaves nothing", async (_instant, isThere) => {
    const destination = outside.through(proxy.port);
    const { jobId } = (await world.post("contactexports", { fields: ["cID", "note"], destination })).body;
    const worked = workOff(world.service, jobId, world.folder, { outbound, sealer }).then(() => "over");
    await isThere(jobId, outside);
    proxy.setMode("silent");
    await expect.poll(() => phaseOf(jobId), SOON).toBe("write");
    await cancel(jobId);
    await expectOver(worked);
    await expect.poll(() => readingAt(jobId)).toBe(0);
    expect(await world.tablesOf(jobId)).toBe(0);
    proxy.setMode("forward");
    await removeLater();
    expect(await outside.unfinished()).toBe(0);
    expect(await outside.files(jobId)).toEqual(new Map());
  });

  test("at its manifest ends with its cancel, and leaves the files that were finished, without a manifest", async () => {
    const destination = outside.through(proxy.port);
    const { jobId } = (await world.post("contactexports", { fields: ["cID"], destination })).body;
    await world.untilPhase("manifest", jobId);
    proxy.setMode("silent");
    const worked = workOff(world.service, jobId, world.folder, { outbound, sealer }).then(() => "over");
    await expect.poll(() => attemptsOf(jobId), SOON).toBe(3);
    expect(await world.tablesOf(jobId)).toBeGreaterThan(0);
    await cancel(jobId);
    await expectOver(worked);
    expect(await world.tablesOf(jobId)).toBe(0);
    proxy.setMode("forward");
    await removeLater();
    expect(await outside.unfinished()).toBe(0);
    expect([...(await outside.files(jobId)).keys()]).toEqual([`ExportContacts-${jobId}.csv`]);
  });
});

/** The storage that takes files fastest here. */
describe("an export whose job another worker took", () => {
  let outside: StorageWorld;
  beforeAll(async () => {
    outside = await worlds.azureblob();
  });
  afterAll(() => outside.stop());

  test.each(taken)("%s leaves the other worker what it needs", async (_timestamp, isThere) => {
    const proxy = await createTcpProxy({ host: "127.0.0.1", port: outside.port });
    const destination = outside.through(proxy.port);
    const { jobId } = (await world.post("contactexports", { fields: ["cID", "note"], destination })).body;
    const slow = workOff(world.service, jobId, world.folder, { outbound, sealer }).then(() => "over");
    await isThere(jobId, outside);
    proxy.setMode("silent");
    const others = await takeAway(jobId);
    await expectOver(slow);
    await world.service.clickHouse.query(`SELECT count() FROM ${others}`);
    proxy.setMode("forward");
    await expect.poll(async () => (await world.workOn(jobId)).status, { timeout: 100_000 }).toBe("Done");
    await proxy.close();
    expect(await world.tablesOf(jobId)).toBe(0);
    expect(await outside.unfinished()).toBe(0);
    const lines = (await outside.files(jobId)).get(`ExportContacts-${jobId}.csv`)?.toString().split("\r\n") ?? [];
    expect(new Set(lines).size).toBe(CONTACTS + 2);
  });
});
