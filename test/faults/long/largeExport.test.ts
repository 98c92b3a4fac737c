import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { createOutbound, createSealer } from "@headwater/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ExportWorld, haveRead, startExportWorld } from "../../contract/analytics/exports/exportWorld.ts";
import { storedTime } from "../../contract/service/running.ts";
import { AT } from "../../contract/service/seed.ts";
import { startWorker, type WorkerProcess } from "../../destinations/killedWorker.ts";
import { type StorageWorld, worlds } from "../../destinations/storageServers.ts";
import { manifestShape, progressShape } from "../jobs/exportShapes.ts";

const { env } = process;
/** Activities below the watermark; FAULTS_EXPORT_ROWS makes fewer of them. */
const ROWS = Number(env.FAULTS_EXPORT_ROWS || 10_000_000);
const CONTACTS = Math.ceil(ROWS / 50);
/** Activities at and above the watermark: they are in no file. */
const LATE = 1_000;
const FILES = 4;
const MEMORY_MIB_MAX = 256;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SEED_TIMEOUT_MS = 10 * MINUTE_MS;
const COLUMNS = '"id","action","cID","email","time","receivedAt","mcID","bmID","UID","properties"';

const settingsKey = Buffer.alloc(32, 7);
const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
let world: ExportWorld;
let outside: StorageWorld;
beforeAll(async () => {
  [world, outside] = await Promise.all([
    startExportWorld({ outbound, sealer: createSealer([settingsKey]) }),
    worlds.s3(),
  ]);
  for (const sql of seedStatements(world.account.number))
    await world.service.bulk.run({ sql, signal: AbortSignal.timeout(SEED_TIMEOUT_MS) });
  await haveRead(world, ROWS + LATE);
  // The watermark is taken from the end of the log.
  world.service.highs.set("intake.records", ROWS);
}, SEED_TIMEOUT_MS);
afterAll(async () => {
  await Promise.all([world.drop(), outside.stop()]);
  await outbound.close();
});

/** Rows as the sinks write them, each a function of its number. */
function seedStatements(account: number): string[] {
  const version = "'0'";
  const cid = "leftPad(lower(hex(number)), 24, '0')";
  const time = `toDateTime64('${storedTime(AT)}', 3, 'UTC') + toIntervalMillisecond(number)`;
  return [
    `INSERT INTO contacts_current (account, contact, cid, created_at, modified_at, version, merged_into, deleted, revision)
      SELECT ${account}, number, ${cid}, now64(3), now64(3), ${version}, 0, 0, 1 FROM numbers(1, ${CONTACTS})`,
    `INSERT INTO contact_fields_current (account, field, contact, kind, text, number, version, revision)
      SELECT ${account}, 'channels.email.address', number, 'string', concat('p', toString(number), '@example.com'), NULL, ${version}, 1
      FROM numbers(1, ${CONTACTS})`,
    `INSERT INTO activities (account, contact, action, time, ingested, uid, record, mc_id, properties, geo_city, geo_country, geo_lat,
        geo_lon, device, topic_generation, lane, partition, log_offset, place)
      SELECT ${account}, 1 + number % ${CONTACTS}, if(number % 3 = 0, 'browse', 'search'), ${time}, ${time}, concat('u', toString(number)),
        concat('r:', toString(number), ':0'), '', concat('{"category":"Shoes, red","index":', toString(number), '}'), '', '', NULL, NULL, '',
        1, 1, 0, number, 0 FROM numbers(${ROWS + LATE})`,
  ];
}

/** The line of an activity, worked out without the product. */
function lineOf(n: number): string {
  const contact = 1 + (n % CONTACTS);
  const time = new Date(AT + n).toISOString();
  const cells = [`"r:${n}:0"`, n % 3 === 0 ? '"browse"' : '"search"', `"${contact.toString(16).padStart(24, "0")}"`];
  const properties = `"{""category"":""Shoes, red"",""index"":${n}}"`;
  return [...cells, `"p${contact}@example.com"`, time, time, "", "", `"u${n}"`, properties].join(",");
}

const worker = () => startWorker({ ...world, settingsKey }, { HEADWATER_JOBS_CONCURRENTLY: "1" });

/** Reads the phase of the export, its finished files, and the rows that were reported. */
async function check(jobId: string) {
  const [row] = await world.service.postgres.query<{ status: string; progress: string | null; rows: number | null }>(
    { text: "SELECT status, progress::text AS progress, completed_items AS rows FROM jobs WHERE id = $1" },
    [jobId],
  );
  const { phase, files } = progressShape.parse(JSON.parse(row?.progress ?? "{}"));
  return { status: row?.status ?? "", phase, files: files.length, rows: Number(row?.rows ?? 0) };
}

type Seen = Awaited<ReturnType<typeof check>>;
const isOver = ({ status }: Seen) => status === "Done" || status === "Failed";

async function until(jobId: string, isThere: (seen: Seen) => boolean): Promise<Seen> {
  for (const end = Date.now() + HOUR_MS; ; await sleep(100)) {
    const seen = await check(jobId);
    if (isThere(seen) || isOver(seen)) return seen;
    if (Date.now() > end) throw new Error(`the export stays at ${JSON.stringify(seen)}`);
  }
}

/** Instants of the kills: in the staging, in the first file, half way, in the file after it, and before the manifest. */
const INSTANTS: readonly ((seen: Seen) => boolean)[] = [
  ({ phase }) => phase === "stage",
  ({ phase }) => phase === "write",
  ({ files, rows }) => files >= FILES / 2 && rows > ROWS / 2,
  ({ files }) => files >= FILES - 1,
  ({ phase }) => phase === "manifest" || phase === "end",
];

/** Lets workers work at the export, and kills each at its time. @returns the most memory that one of them held, in MiB. */
async function workWithKills(jobId: string, say: (line: string) => void): Promise<number> {
  let most = 0;
  let running: WorkerProcess = worker();
  const end = async () => {
    most = Math.max(most, running.memoryMiB());
    await running.kill();
  };
  for (const isThere of INSTANTS) {
    const seen = await until(jobId, isThere);
    // Into the work of that moment.
    await sleep(Math.min(2_000, ROWS / 1_000));
    await end();
    say(`killed at ${JSON.stringify(seen)}, ${most.toFixed(0)} MiB at most so far`);
    running = worker();
  }
  await until(jobId, isOver);
  await end();
  return most;
}

/** Reads the bucket by another client, and ticks off every activity. */
class Ticked {
  readonly #seen = new Uint8Array(ROWS);
  rows = 0;
  wrong: string[] = [];

  line(line: string): void {
    const n = Number(/^"r:(\d+):0"/.exec(line)?.[1] ?? -1);
    this.rows += 1;
    const isRight = line === lineOf(n) && this.#seen[n] === 0;
    if (!isRight && this.wrong.length < 10) this.wrong.push(line);
    if (n in this.#seen) this.#seen[n] = 1;
  }
}

async function readFile(name: string, ticked: Ticked) {
  const { storage } = outside;
  if (storage.type !== "s3") throw new TypeError("the storage is a bucket");
  const {
    aws_endpoint: endpoint = "",
    aws_access_key_id: accessKeyId,
    aws_secret_access_key: secretAccessKey,
  } = storage;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ region: "us-east-1", endpoint, forcePathStyle: true, credentials });
  const { Body } = await client.send(new GetObjectCommand({ Bucket: storage.aws_bucket, Key: `exports/${name}` }));
  const sum = createHash("sha256");
  let bytes = 0;
  let rest = "";
  let isHeader = true;
  for await (const chunk of Body?.transformToWebStream() ?? []) {
    sum.update(chunk);
    bytes += chunk.length;
    const lines = `${rest}${Buffer.from(chunk).toString("latin1")}`.split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!isHeader) ticked.line(line);
      else expect(line).toBe(COLUMNS);
      isHeader = false;
    }
  }
  client.destroy();
  expect(rest).toBe("");
  return { name, bytes, sha256: sum.digest("hex") };
}

test("an export of 10,000,000 activities to a bucket whose worker is killed again and again is there once, whole", {
  timeout: HOUR_MS,
}, async () => {
  const say = (line: string) => process.stderr.write(`large export, ${ROWS} rows: ${line}\n`);
  const startedAt = performance.now();
  const { status, body } = await world.post("contactactivityexport", {
    timeframe: { start: "2000-01-01", end: "2100-01-01" },
    ...{ exportType: "csv", name: "large", limitRecordsPerFile: ROWS / FILES, destination: outside.storage },
  });
  expect({ status, code: body.code }).toEqual({ status: 202, code: undefined });
  const memory = await workWithKills(body.jobId, say);
  say(`over after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s, a worker held ${memory.toFixed(0)} MiB`);
  const done = await world.job(body.jobId);
  const { totalItems, completedItems, result } = done;
  expect({ status: done.status, totalItems, completedItems, result }).toMatchObject({
    ...{ status: "Done", totalItems: ROWS, completedItems: ROWS, result: { totalRecords: ROWS } },
  });
  const { files, manifest } = manifestShape.parse(done.metadata);
  const ticked = new Ticked();
  for (const { name, bytes, sha256 } of files) expect(await readFile(name, ticked)).toEqual({ name, bytes, sha256 });
  expect(ticked.wrong).toEqual([]);
  expect(ticked.rows).toBe(ROWS);
  const there = [...(await outside.files("manifest")).keys()];
  expect(there).toEqual([manifest.name]);
  expect(await outside.unfinished()).toBe(0);
  expect(memory).toBeLessThan(MEMORY_MIB_MAX);
});
