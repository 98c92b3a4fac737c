import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ExportWorld, startExportWorld, storeNotes } from "../../contract/analytics/exports/exportWorld.ts";
import { basic } from "../../contract/service/running.ts";
import { startWorker, type WorkerProcess } from "../../destinations/killedWorker.ts";
import { manifestShape, progressShape } from "../jobs/exportShapes.ts";
import { BALLAST_CHUNK, fillDisk } from "./fillDisk.ts";

const CONTACTS = 120_000;
const NOTE_CHARACTERS = 500;
const FILES = 4;
/** Space for two files of about 16 MB, and for a part of the third. */
const SMALL_MEGABYTES = 40;
const LARGE_MEGABYTES = 200;
/** Several attempts, each refused by the disk. */
const FULL_MS = 15_000;
const PATIENCE = { timeout: 120_000, interval: 200 };
const TIMEOUT_MS = 600_000;

let world: ExportWorld;
let worker: WorkerProcess;
beforeAll(async () => {
  world = await startExportWorld();
  await storeNotes(world, { contacts: CONTACTS, characters: NOTE_CHARACTERS });
  mount(SMALL_MEGABYTES);
}, TIMEOUT_MS);
afterAll(async () => {
  await worker?.kill();
  execFileSync("umount", ["--lazy", world.folder]);
  await world.drop();
});

/** Puts the folder of files on a disk of its own, or resizes it. */
function mount(megabytes: number): void {
  const isThere = existsSync(join(world.folder, "disk"));
  const options = `${isThere ? "remount," : ""}size=${megabytes}m,mode=0700`;
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", world.folder], { stdio: "pipe" });
  if (!isThere) execFileSync("touch", [join(world.folder, "disk")]);
}

async function check(jobId: string) {
  const [row] = await world.service.postgres.query<{ status: string; progress: string | null; phase: string }>(
    { text: "SELECT status, progress::text AS progress FROM jobs WHERE id = $1" },
    [jobId],
  );
  return { status: row?.status, files: progressShape.parse(JSON.parse(row?.progress ?? "{}")).files };
}

/** Names of files that are whole, as the store has them. */
function whole(): string[] {
  const names = readdirSync(join(world.folder, world.account.id));
  return names.filter((name) => !name.endsWith(".part"));
}

async function expectNothingShort(jobId: string, finished: number): Promise<void> {
  const { status, files } = await check(jobId);
  expect({ status, files: files.length }).toEqual({ status: "Processing", files: finished });
  const job = await world.job(jobId);
  expect(job.metadata.manifest).toBeUndefined();
  expect(job.metadata.files.map(({ name }: { name: string }) => name)).toEqual(files.map(({ name }) => name));
  expect(whole()).toHaveLength(finished);
}

async function upload(address: string): Promise<number> {
  const headers = { authorization: basic(world.key) };
  const answer = await fetch(`${address}/v2/uploads`, { method: "POST", headers, body: BALLAST_CHUNK });
  await answer.text();
  return answer.status;
}

test(
  "an export whose disk is full half way waits, and goes on where it was when there is room",
  async () => {
    const address = await world.service.listen();
    const { body } = await world.post("contactexports", {
      ...{ fields: ["cID", "note"], name: "full", limitRecordsPerFile: CONTACTS / FILES },
    });
    const { jobId } = body;
    const start = () =>
      startWorker({ ...world, settingsKey: Buffer.alloc(32, 7) }, { HEADWATER_JOBS_CONCURRENTLY: "1" });
    worker = start();
    await expect.poll(async () => (await check(jobId)).files.length, PATIENCE).toBe(2);
    const ballast = join(world.folder, "ballast");
    await fillDisk(ballast);
    await sleep(FULL_MS);
    await expectNothingShort(jobId, 2);
    expect(await upload(address)).toBe(503);
    await expectNothingShort(jobId, 2);
    await worker.kill();
    worker = start();
    await sleep(FULL_MS);
    await expectNothingShort(jobId, 2);
    rmSync(ballast);
    mount(LARGE_MEGABYTES);
    await expect.poll(async () => (await check(jobId)).status, PATIENCE).toBe("Done");
    const done = await world.job(jobId);
    expect(done).toMatchObject({ totalItems: CONTACTS, completedItems: CONTACTS, result: { totalRecords: CONTACTS } });
    const { files, manifest } = manifestShape.parse(done.metadata);
    const ids = new Set<string>();
    for (const [index, { name, bytes, sha256 }] of files.entries()) {
      const there = await world.bytes(done.metadata.files[index]);
      expect({ name, bytes: there.length, sha256: hash("sha256", there, "hex") }).toEqual({ name, bytes, sha256 });
      for (const line of there.toString().split("\r\n").slice(1, -1)) ids.add(line.slice(1, 25));
    }
    expect(ids.size).toBe(CONTACTS);
    expect(whole()).toHaveLength([...files, manifest].length);
    expect(readdirSync(join(world.folder, world.account.id)).filter((name) => name.endsWith(".part"))).toEqual([]);
  },
  TIMEOUT_MS,
);
