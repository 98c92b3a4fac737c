import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createOutbound, createSealer } from "@headwater/kernel";
import { ensureAttributes } from "@headwater/records/attributes/postgres";
import { createTcpProxy } from "@headwater/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ExportWorld, startExportWorld } from "../contract/analytics/exports/exportWorld.ts";
import { prepareTopics } from "../contract/topics/prepareTopics.ts";
import { startWorker, type WorkerProcess } from "./killedWorker.ts";
import { type StorageWorld, worlds } from "./storageServers.ts";

/** Contacts that are exported; more in a long run, which also shows the memory that they take. */
const IS_LONG = process.env.HEADWATER_EXPORT_ROWS !== undefined;
const ROWS = Number(process.env.HEADWATER_EXPORT_ROWS ?? 30_000);
const MEMORY_MIB_MAX = 256;
const MINUTES = Math.max(3, Math.ceil(ROWS / 100_000));
const FIELDS = ["name", "city", "score", "note", "plan"];

const settingsKey = Buffer.alloc(32, 7);
const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
let world: ExportWorld;
let outside: StorageWorld;
beforeAll(async () => {
  await prepareTopics();
  [world, outside] = await Promise.all([
    startExportWorld({ outbound, sealer: createSealer([settingsKey]) }),
    worlds.s3(),
  ]);
  const { number: account } = world.account;
  await ensureAttributes(
    world.service.postgres,
    FIELDS.map((key) => ({ account, key })),
    0,
  );
  const numbers = `FROM numbers(1, ${ROWS})`;
  const version = "'0'";
  await world.service.bulk.run({
    sql: `INSERT INTO contacts_current (account, contact, cid, created_at, modified_at, version, merged_into, deleted, revision)
      SELECT ${account}, number, leftPad(lower(hex(number)), 24, '0'), now64(3), now64(3), ${version}, 0, 0, 1 ${numbers}`,
    signal: AbortSignal.timeout(600_000),
  });
  for (const field of FIELDS)
    await world.service.bulk.run({
      sql: `INSERT INTO contact_fields_current (account, field, contact, kind, text, number, version, revision)
        SELECT ${account}, 'attributes.${field}', number, 'string', concat('${field} of "', toString(number), '", é'), NULL, ${version}, 1 ${numbers}`,
      signal: AbortSignal.timeout(600_000),
    });
}, 900_000);
afterAll(async () => {
  await Promise.all([world.drop(), outside.stop()]);
  await outbound.close();
});

const worker = () => startWorker({ ...world, settingsKey }, { HEADWATER_JOBS_CONCURRENTLY: "1" });

interface Seen {
  readonly status: string;
  readonly phase: string | null;
  readonly files: number;
}

async function check(jobId: string): Promise<Seen> {
  const [row] = await world.service.postgres.query<Seen>(
    {
      text: `SELECT status, progress->>'phase' AS phase, coalesce(json_array_length(progress->'files'), 0) AS files
        FROM jobs WHERE id = $1`,
    },
    [jobId],
  );
  if (row === undefined) throw new Error("there is no such job");
  return row;
}

/** Waits until the export is as far as that, or over. */
async function until(jobId: string, isThere: (seen: Seen) => boolean): Promise<Seen> {
  const end = Date.now() + MINUTES * 60_000;
  for (;;) {
    const seen = await check(jobId);
    if (isThere(seen) || seen.status === "Done" || seen.status === "Failed") return seen;
    if (Date.now() > end) throw new Error(`the export stays at ${JSON.stringify(seen)}`);
    await sleep(20);
  }
}

const PHASES = ["intake", "sinks", "stage", "write", "manifest", "end"];
const isAt =
  (phase: string, files = 0) =>
  (seen: Seen) =>
    PHASES.indexOf(seen.phase ?? "") > PHASES.indexOf(phase) || (seen.phase === phase && seen.files >= files);

const request = () => ({
  fields: ["cID", ...FIELDS.map((field) => `attributes.${field}`)],
  limitRecordsPerFile: Math.ceil(ROWS / 3),
  name: "all",
});

async function start(destination: object): Promise<string> {
  const { status, body } = await world.post("contactexports", { ...request(), destination });
  expect({ status, code: body.code }).toEqual({ status: 202, code: undefined });
  return body.jobId;
}

/** Compares all files with what is stored, by their own count. */
async function expectWhole(jobId: string): Promise<void> {
  const done = await world.job(jobId);
  expect(done).toMatchObject({
    status: "Done",
    totalItems: ROWS,
    completedItems: ROWS,
    result: { totalRecords: ROWS },
  });
  const found = await outside.files();
  const names = [...found.keys()].filter((name) => name.includes(jobId));
  const { files, manifest } = done.metadata;
  expect(names.sort()).toEqual([...files, manifest].map(({ name }) => name).sort());
  const seen = new Set<string>();
  for (const file of [...files, manifest]) {
    const bytes = found.get(file.name) ?? Buffer.alloc(0);
    expect({ bytes: bytes.length, sha256: hash("sha256", bytes, "hex") }).toEqual({
      bytes: file.bytes,
      sha256: file.sha256,
    });
    if (file === manifest) continue;
    for (const line of bytes.toString().split("\r\n").slice(1, -1)) seen.add(line.slice(1, 25));
  }
  expect(seen.size).toBe(ROWS);
  expect(await outside.unfinished()).toBe(0);
}

describe("an export to a bucket", () => {
  test(
    "an export whose worker is killed in one phase after the other is there once, without stray parts",
    async () => {
      const jobId = await start(outside.storage);
      const instants = IS_LONG
        ? [isAt("sinks"), isAt("stage"), isAt("write"), isAt("write", 1), isAt("manifest")]
        : [isAt("stage"), isAt("write", 1)];
      let running: WorkerProcess = worker();
      for (const isThere of instants) {
        const { status } = await until(jobId, isThere);
        await running.kill();
        running = worker();
        if (status === "Done") break;
      }
      await until(jobId, () => false);
      const memory = running.memoryMiB();
      await running.kill();
      await expectWhole(jobId);
      if (IS_LONG) {
        console.error(`worker: ${memory.toFixed(0)} MiB at most`);
        expect(memory).toBeLessThan(MEMORY_MIB_MAX);
      }
    },
    MINUTES * 120_000,
  );

  test(
    "an export whose worker sleeps until its job was given to another one is there once",
    async () => {
      const proxy = await createTcpProxy({ host: "127.0.0.1", port: outside.port });
      const destination = outside.through(proxy.port);
      const jobId = await start(destination);
      const sleeper = worker();
      await until(jobId, isAt("write"));
      sleeper.signal("SIGSTOP");
      const other = worker();
      await until(jobId, () => false);
      sleeper.signal("SIGCONT");
      await expectWhole(jobId);
      // It finds that the job is no longer its own, and gives up what it had begun.
      await expect.poll(() => outside.unfinished(), { timeout: 30_000 }).toBe(0);
      await Promise.all([sleeper.kill(), other.kill()]);
      await expectWhole(jobId);
      await proxy.close();
    },
    MINUTES * 120_000,
  );
});
